import { didYouMean } from '../../util/did-you-mean.ts'
import { Fault } from './fault.tsx'

interface UnknownProps {
  /** What was named, such as `scenario`. */
  readonly kind: string
  /** The name in the address; empty for none. */
  readonly name: string
  readonly known: readonly string[]
}

/** Tells that the address names something that is not there. */
export const Unknown = ({ kind, name, known }: UnknownProps) => {
  if (name === '' || known.includes(name)) return null
  const shown = name.slice(0, 100)
  return <Fault id={`no-${kind}`} sentence={`Unknown ${kind} ${JSON.stringify(shown)}.${didYouMean(shown, known)}`} />
}
