import type { KeptBody } from '../../journal/redact.ts'
import { toCutNote } from '../../journal/record.ts'
import { toCountText } from '../row.ts'
import { Code } from './code.tsx'

/** A body as far as the journal has it. */
export const Body = ({ body, label }: { readonly body: KeptBody | undefined; readonly label: string }) => {
  if (body === undefined) return <p class="quiet">No body.</p>
  return (
    <>
      {body.encoding === 'utf-8' ? (
        <Code text={body.text} label={label} />
      ) : (
        <p class="quiet">{toCountText(body.size)} bytes of binary data.</p>
      )}
      {body.isCut && <p class="quiet">{toCutNote(body)}</p>}
    </>
  )
}
