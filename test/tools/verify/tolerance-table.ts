import { tolerances } from '../../../src/tools/verify/compare/tolerances.ts'

const START = '<!-- tolerances -->'
const END = '<!-- end of tolerances -->'

const escape = (text: string): string => text.replaceAll('|', '\\|')

/** The page with the table of tolerances between its two marks. */
export function replaceTolerances(page: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)]
  if (start === -1 || end === -1) throw new Error(`The page has no ${START} and ${END}.`)
  const rows = tolerances.map(({ frees, word }) => `| ${escape(frees)} | ${escape(word)} |`)
  const table = ['| free | because |', '|---|---|', ...rows]
  return `${page.slice(0, start + START.length)}\n\n${table.join('\n')}\n\n${page.slice(end)}`
}
