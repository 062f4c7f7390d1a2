import { escapeXml, toJunitXml } from '../../util/junit.ts'
import type { JunitCase } from '../../util/junit.ts'
import { toTestText } from './plan.ts'
import type { Cell, Detail, ResilienceReport } from './report.ts'
import { toCellText, toText } from './report.ts'
import type { Verdict } from './verdict.ts'

/** A cell, with what is shown of a variant that was not survived. */
export interface DetailedCell extends Cell {
  readonly detail?: Detail | undefined
}

/**
 * The report as JUnit XML: a suite per operation, a case per variant.
 *
 * @param allow verdicts that count as survived
 */
export function toJunit({ cells }: ResilienceReport, allow: readonly Verdict[]): string {
  const toCase = ({ failure, call, verdict, why, test, repeat }: Cell): JunitCase => ({
    name: `${failure}${call === 1 ? '' : ` of call ${call}`}: ${toTestText(test)}`,
    ...(verdict === 'survived' || allow.includes(verdict)
      ? {}
      : verdict === 'unnoticed'
        ? { skipped: `unnoticed: ${why}` }
        : { failure: { type: verdict, message: why, text: repeat } }),
  })
  const operations = [...new Set(cells.map(({ operation }) => operation))]
  const suites = operations.map((name) => ({
    name,
    cases: cells.filter(({ operation }) => operation === name).map(toCase),
  }))
  return `${toJunitXml('resource-mock resilience', suites)}\n`
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color-scheme:light dark}
pre{overflow:auto;padding:1rem;background:light-dark(#f4f4f5,#222);border-radius:.5rem}
img{max-width:100%;border:1px solid #8888;border-radius:.5rem}`

const toBlock = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<h3>${title}</h3>\n<pre>${escapeXml(lines.join('\n'))}</pre>`

function toSection(cell: DetailedCell): string {
  const { verdict, why, test, repeat, detail } = cell
  const { error, requests = [], versions = [], explanation = '', screenshot } = detail ?? {}
  return [
    `<h2>${verdict}: ${toCellText(cell)}</h2>`,
    `<p>${escapeXml(why)}</p>`,
    toBlock('Test', [toTestText(test), ...(error === undefined ? [] : [error]), repeat]),
    screenshot === undefined
      ? ''
      : `<h3>The page at the end</h3>\n<img alt="The page at the end" src="data:image/jpeg;base64,${screenshot}">`,
    toBlock('Requests', requests),
    toBlock('Versions', versions),
    toBlock('Explanation', explanation === '' ? [] : [explanation]),
  ].join('\n')
}

/** The report as one page, without scripts, that needs no mock: the matrix, and each variant that was not survived. */
export const toPage = (report: ResilienceReport, cells: readonly DetailedCell[]): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Resilience</title>
<style>${STYLE}</style>
<h1>Resilience</h1>
<pre>${escapeXml(toText(report, undefined))}</pre>
${cells
  .filter(({ verdict }) => verdict !== 'survived')
  .map(toSection)
  .join('\n')}
</html>
`
