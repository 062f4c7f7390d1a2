import { describe, expect, it } from 'vitest'
import { readGroups } from '../../site/pages.ts'
import { readText } from './sources.ts'

describe('README.md', () => {
  it.each(['npm ci', 'npm start', 'npm test', 'npm run test:all'])(
    'names %j, which continuous integration runs',
    (command) => {
      expect(readText('README.md')).toContain(command)
    },
  )

  it('shows the tarball that npm pack creates', () => {
    // The package's own name and version.
    const { name, version } = JSON.parse(readText('package.json')) as {
      readonly name: string
      readonly version: string
    }
    const named = new Set(readText('README.md').match(/[\w-]+-\d[\w.-]*\.tgz/g))
    expect([...named]).toEqual([`${name}-${version}.tgz`])
  })
})

describe('docs/README.md', () => {
  it.each(readGroups())('links to each page of "$title", in the order of the site', ({ title, pages }) => {
    const [, list = ''] =
      new RegExp(`^- \\*\\*${title}:\\*\\*([^]*?)(?=^- |^$)`, 'm').exec(readText('docs/README.md')) ?? []
    const linked = Array.from(list.matchAll(/\]\(([\w-]+\.md)\)/g), ([, path = '']) => `docs/${path}`)
    expect(linked).toEqual(
      pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && path !== 'docs/README.md'),
    )
  })
})
