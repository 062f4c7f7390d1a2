import { toFamily } from '../row.ts'

/** A status, told by number, colour and mark. */
export const Status = ({ status }: { readonly status: number }) => (
  <span class={`status s${toFamily(status)}`}>{status === 0 ? 'none' : status}</span>
)

/** A method. */
export const Method = ({ method }: { readonly method: string }) => (
  <span class={`method m-${method.toLowerCase()}`}>{method}</span>
)

/** An instant; the script writes it in the reader's own time zone. */
export const Time = ({ at, isLong = false }: { readonly at: number; readonly isLong?: boolean }) => {
  const text = new Date(at).toISOString()
  return (
    <time datetime={text} data-long={isLong ? '' : undefined}>
      {isLong ? text.slice(0, 19).replace('T', ' ') : text.slice(11, 23)}
    </time>
  )
}
