import { describeDefault } from '../../../src/edges/cli/program.ts'
import type { Option, Options } from '../../../src/app/options/option.ts'

const START = '<!-- options -->'
const END = '<!-- end of options -->'

const escape = (text: string): string => text.replaceAll('|', '\\|')

function toRow(option: Option): string {
  const { flag = '', env, about = '', negated } = option
  const cells = [
    `\`${flag}\``,
    env === undefined ? '' : `\`${env}\``,
    describeDefault(option) ?? '',
    `${about}${negated === undefined ? '' : `; \`--no-${flag.replace(/^--([a-z-]+).*/, '$1')}\`: ${negated}`}`,
  ]
  return `| ${cells.map(escape).join(' | ')} |`
}

/** The page with the table of these options between its two marks. */
export function replaceTable(page: string, options: Options): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  if (start === -1 || end === -1) throw new Error(`The page has no ${START} and ${END}.`)
  const rows = Object.values(options).flatMap((option) => (option.flag === undefined ? [] : toRow(option)))
  const table = ['| option | environment | default | meaning |', '|---|---|---|---|', ...rows]
  return `${page.slice(0, start + START.length)}\n\n${table.join('\n')}\n\n${page.slice(end)}`
}
