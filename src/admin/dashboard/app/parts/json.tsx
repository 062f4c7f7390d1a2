import { useState } from 'hono/jsx/dom'
import { Button } from './controls.tsx'
import { findJsonTree, SHORT_VALUE, toJsonLine } from './json-tree.ts'
import type { JsonMember, JsonNode } from './json-tree.ts'
import { numbers } from './status.tsx'

/** How many members of an object or array are in the page at first, and more with each *Show more*. */
const SHOWN_MEMBERS = 1000

/** Whether a tree has more nodes than are shown at first. */
function isLarge(node: JsonNode, counted = { nodes: 0 }): boolean {
  counted.nodes += 1
  if (counted.nodes > SHOWN_MEMBERS) return true
  return 'members' in node && node.members.some(({ value }) => isLarge(value, counted))
}

const isFlat = (node: JsonNode): boolean =>
  !('members' in node) || (!node.isCut && node.members.every(({ value }) => !('members' in value)))

interface NodeProps {
  readonly node: JsonNode
  /** With its quotes. */
  readonly name?: string | undefined
  readonly isLast: boolean
  /** Whether objects and arrays below it are folded at first. */
  readonly isFolded: boolean
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

const Members = ({ members, isFolded }: { readonly members: readonly JsonMember[]; readonly isFolded: boolean }) => {
  const [shown, setShown] = useState(SHOWN_MEMBERS)
  const left = members.length - shown
  return (
    <div class="j-members">
      {members.slice(0, shown).map(({ key, value }, at) => (
        <Node node={value} name={key} isLast={at === members.length - 1} isFolded={isFolded} />
      ))}
      {left > 0 && (
        <Button isSmall onClick={() => setShown(shown + SHOWN_MEMBERS)}>
          Show more, {numbers.format(left)} left
        </Button>
      )}
    </div>
  )
}

const Node = ({ node, name, isLast, isFolded }: NodeProps) => {
  const [isOpen, setOpen] = useState(!isFolded)
  const comma = isLast ? '' : ','
  if (
    !('members' in node) ||
    node.members.length === 0 ||
    (node.members.length <= SHORT_VALUE && isFlat(node) && toJsonLine(node).length <= SHORT_VALUE)
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
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }: Event) =>
        currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
      }
    >
      <summary>
        <MemberName name={name} />
        {open}
        <span class="quiet">
          … {close}
          {comma}
        </span>
      </summary>
      {isOpen && <Members members={node.members} isFolded={isFolded} />}
      <div>{node.isCut ? '…' : close + comma}</div>
    </details>
  )
}

/** The outermost object or array, which does not fold. */
const Root = ({ node }: { readonly node: JsonNode }) => {
  if (!('members' in node) || node.members.length === 0) return <Flat node={node} />
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']']
  return (
    <>
      <div>{open}</div>
      <Members members={node.members} isFolded={isLarge(node)} />
      <div>{node.isCut ? '…' : close}</div>
    </>
  )
}

/** JSON text, indented and coloured; objects and arrays fold. Other text is shown as it is. */
export const Json = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const tree = findJsonTree(text)
  return (
    <div class="code" role="region" aria-label={label} tabindex={0}>
      {tree === undefined ? <pre>{text}</pre> : <Root node={tree} />}
    </div>
  )
}
