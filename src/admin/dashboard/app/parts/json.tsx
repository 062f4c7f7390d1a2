import { findJsonTree, SHORT_VALUE, toJsonLine } from './json-tree.ts'
import type { JsonNode } from './json-tree.ts'

const isFlat = (node: JsonNode): boolean =>
  !('members' in node) || (!node.isCut && node.members.every(({ value }) => !('members' in value)))

interface NodeProps {
  readonly node: JsonNode
  /** With its quotes. */
  readonly name?: string | undefined
  readonly isLast: boolean
  /** The root is not foldable. */
  readonly isRoot?: boolean
}

const MemberName = ({ name }: { readonly name: string | undefined }) =>
  name === undefined ? null : (
    <>
      <b>{name}</b>:{' '}
    </>
  )

/** A flat node in colours. */
const Flat = ({ node }: { readonly node: JsonNode }) => {
  if (!('members' in node)) return <span class={`j-${node.kind}`}>{node.text}</span>
  const [open, close] = node.kind === 'object' ? ['{ ', ' }'] : ['[', ']']
  if (node.members.length === 0) return <>{toJsonLine(node)}</>
  return (
    <>
      {open}
      {node.members.map(({ key, value }, at) => (
        <>
          {at > 0 && ', '}
          <MemberName name={key} />
          <Flat node={value} />
        </>
      ))}
      {close}
    </>
  )
}

const Node = ({ node, name, isLast, isRoot = false }: NodeProps) => {
  const comma = isLast ? '' : ','
  if (
    !('members' in node) ||
    (!isRoot && isFlat(node) && toJsonLine(node).length <= SHORT_VALUE) ||
    node.members.length === 0
  ) {
    return (
      <div>
        <MemberName name={name} />
        <Flat node={node} />
        {comma}
      </div>
    )
  }
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']']
  const members = node.members.map(({ key, value }, at) => (
    <Node node={value} name={key} isLast={at === node.members.length - 1} />
  ))
  const end = node.isCut ? '…' : close + comma
  if (isRoot) {
    return (
      <>
        <div>{open}</div>
        <div class="j-members">{members}</div>
        <div>{end}</div>
      </>
    )
  }
  return (
    <details open>
      <summary>
        <MemberName name={name} />
        {open}
        <span class="quiet">
          … {close}
          {comma}
        </span>
      </summary>
      <div class="j-members">{members}</div>
      <div>{end}</div>
    </details>
  )
}

/** JSON text, indented and coloured; objects and arrays fold. Other text is shown as it is. */
export const Json = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const tree = findJsonTree(text)
  return (
    <div class="code" role="region" aria-label={label} tabindex={0}>
      {tree === undefined ? <pre>{text}</pre> : <Node node={tree} isLast isRoot />}
    </div>
  )
}
