import { toFamily } from '../row.ts'

export const Status = ({ status }: { readonly status: number }) => (
  <span class={`status s${toFamily(status)}`}>{status === 0 ? 'none' : status}</span>
)

export const Method = ({ method }: { readonly method: string }) => (
  <span class={`method m-${method.toLowerCase()}`}>{method}</span>
)

/** A time in UTC; the script converts it to the reader's time zone. */
export const Time = ({ at, isLong = false }: { readonly at: number; readonly isLong?: boolean }) => {
  const text = new Date(at).toISOString()
  return (
    <time datetime={text} data-long={isLong ? '' : undefined}>
      {isLong ? text.slice(0, 19).replace('T', ' ') : text.slice(11, 23)}
    </time>
  )
}
