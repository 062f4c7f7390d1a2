import type { Child } from 'hono/jsx'

export interface Column<Row> {
  readonly title: string
  /** A CSS grid track such as `1fr`; `max-content` by default. */
  readonly track?: string
  readonly cell: (row: Row) => Child
  readonly isNumber?: boolean
}

interface TableProps<Row> {
  /** Its accessible name. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export const alignment = (isNumber: boolean | undefined): string | undefined =>
  isNumber === true ? 'number' : undefined

/** A table of at most some hundred rows, whose columns align by subgrid. Longer lists use VirtualList. */
export function DataTable<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div class="scroll">
      <table
        class="table"
        aria-label={label}
        style={{ gridTemplateColumns: columns.map(({ track = 'max-content' }) => track).join(' ') }}
      >
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={alignment(isNumber)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} class={alignment(isNumber)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
