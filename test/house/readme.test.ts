import { describe, expect, it } from 'vitest'
import { readText } from './sources.ts'

describe('README.md', () => {
  it.each(['npm ci', 'npm start', 'npm test', 'npm run test:all'])(
    'names %j, which continuous integration runs',
    (command) => {
      expect(readText('README.md')).toContain(command)
    },
  )

  it('leads to the decisions', () => {
    expect(readText('README.md')).toContain('docs/decisions.md')
  })
})
