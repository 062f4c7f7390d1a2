import type { LineWriter } from '../line-writer.ts'
import { findMeant, parseChoice, toParts } from './choice.ts'
import type { ListedScenario } from './admin.ts'
import type { Key } from './keyboard.ts'

interface MenuParts {
  readonly scenarios: readonly ListedScenario[]
  readonly active: readonly string[]
  readonly writer: Pick<LineWriter, 'write' | 'prompt'>
  /** The terminal's width in characters. */
  readonly columns: number
  /** Called once, with the names that were chosen; undefined: it stays as it is. */
  readonly onEnd: (names: readonly string[] | undefined) => Promise<void> | undefined
}

const LABEL = 'Number or name, several stack, 0 for none > '

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Every scenario on a line of its own, the active ones marked. */
function toLines({ scenarios, active, columns }: MenuParts): readonly string[] {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios.map(({ name, description }, at) => {
    const mark = active.includes(name) ? '*' : ' '
    return cut(`${mark} ${String(at + 1).padStart(2)}  ${name.padEnd(width)}  ${description}`, columns)
  })
}

/** Shows the scenarios and asks which are to be active; returns what takes the keys until it is answered. */
export function openMenu(parts: MenuParts): (key: Key) => Promise<void> | undefined {
  const { scenarios, writer, columns, onEnd } = parts
  const names = scenarios.map(({ name }) => name)
  let typed = ''

  function draw(): void {
    const last = toParts(typed).at(-1)
    const meant = last === undefined || /[\s,]$/.test(typed) ? [] : findMeant(last, names)
    const room = columns - LABEL.length - typed.length - 1
    const hint = meant.length === 0 ? '' : cut(`  ${meant.join(', ')}`, room)
    // The cursor goes back to where typing goes on (ECMA-48, CUB).
    const back = hint === '' ? '' : `\u001B[2m${hint}\u001B[22m\u001B[${hint.length}D`
    writer.prompt(LABEL + typed + back)
  }

  function end(chosen: readonly string[] | undefined): Promise<void> | undefined {
    writer.prompt('')
    return onEnd(chosen)
  }

  function enter(): Promise<void> | undefined {
    const choice = parseChoice(typed, names)
    if (choice.kind !== 'unclear') return end(choice.kind === 'chosen' ? choice.names : undefined)
    writer.write(choice.sentence)
    typed = ''
    draw()
    return undefined
  }

  function type({ name, ctrl, sequence }: Key): void {
    if (name === 'backspace') typed = typed.slice(0, -1)
    else if (ctrl && name === 'u') typed = ''
    else if (/^[\w.,\- ]$/.test(sequence) && typed.length < columns - LABEL.length - 2) typed += sequence
    draw()
  }

  for (const line of toLines(parts)) writer.write(line)
  draw()

  return function press(key) {
    if (key.name === 'escape') return end(undefined)
    if (key.name === 'return' || key.name === 'enter') return enter()
    type(key)
    return undefined
  }
}
