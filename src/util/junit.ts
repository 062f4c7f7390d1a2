/** Characters that XML 1.0 (section 2.2) forbids even when escaped; a service or a page may have sent them. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const UNTELLABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text and attribute values. In attributes, unescaped line breaks would be read as spaces (section 3.3.3). */
export const escapeXml = (text: string): string =>
  text
    .replace(UNTELLABLE, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The attributes of an element, each with a space before it. */
const toAttributes = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')

/** A case passed unless it has a failure or was skipped. */
export interface JunitCase {
  readonly name: string
  readonly failure?: { readonly type: string; readonly message: string; readonly text?: string }
  /** Why it did not run. */
  readonly skipped?: string
}

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
  readonly milliseconds?: number
  readonly notes?: readonly string[]
}

const toSuiteHead = (name: string, cases: readonly JunitCase[], milliseconds: number | undefined): string =>
  toAttributes({
    name,
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    skipped: cases.filter(({ skipped }) => skipped !== undefined).length,
    ...(milliseconds === undefined ? {} : { time: (milliseconds / 1000).toFixed(3) }),
  })

/** A report as JUnit XML. */
export const toJunitXml = (name: string, suites: readonly JunitSuite[], milliseconds?: number): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${toSuiteHead(
      name,
      suites.flatMap(({ cases }) => cases),
      milliseconds,
    )}>`,
    ...suites.flatMap(({ name: suite, cases, notes = [], milliseconds: time }) => [
      `  <testsuite${toSuiteHead(suite, cases, time)}>`,
      ...cases.flatMap((one) => {
        const open = `    <testcase${toAttributes({ classname: suite, name: one.name })}`
        if (one.skipped !== undefined)
          return [`${open}>`, `      <skipped${toAttributes({ message: one.skipped })}/>`, '    </testcase>']
        if (one.failure === undefined) return [`${open}/>`]
        const { type, message, text } = one.failure
        const element = `      <failure${toAttributes({ type, message })}`
        return [
          `${open}>`,
          text === undefined ? `${element}/>` : `${element}>${text.split('\n').map(escapeXml).join('\n')}</failure>`,
          '    </testcase>',
        ]
      }),
      ...(notes.length === 0 ? [] : [`    <system-out>${notes.map(escapeXml).join('\n')}</system-out>`]),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n')
