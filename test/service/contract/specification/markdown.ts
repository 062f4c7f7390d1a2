/** The text under one heading, up to the next heading of any level. */
export interface Section {
  /** The number of its parent `##` heading, such as `4`. */
  readonly chapter: string
  readonly title: string
  readonly text: string
}

export const parseSections = (markdown: string): readonly Section[] => {
  let chapter = ''
  return markdown
    .split(/^(?=##)/m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const title = heading.replace(/^#+ /, '')
      chapter = /^## (\d+)\./.exec(heading)?.[1] ?? chapter
      return { chapter, title, text: lines.join('\n') }
    })
}

/** The body rows of every table in the text, cell by cell, without heads and rulers. */
export const parseRows = (text: string): readonly (readonly string[])[] =>
  text
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
    .flatMap((rows) => rows.slice(2))
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
