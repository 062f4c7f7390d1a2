import { describe, expect, it } from 'vitest'
import { toRepeated, withoutPart } from '../../../src/edges/cli/playwright-arguments.ts'
import type { LearnedTest } from '../../../src/tools/resilience/plan.ts'
import { toLearned } from '../../tools/resilience/learned.ts'

const learned = (title: string, line: number, more: Partial<LearnedTest> = {}): LearnedTest =>
  toLearned(title, {
    test: { title: [title], file: 'e2e/save.spec.ts', line, project: 'chromium' },
    position: line,
    ...more,
  })

const saves = learned('saves', 12)

const repeat = (command: string, tests: readonly LearnedTest[] = [saves]): string => {
  const last = tests.at(-1) ?? saves
  return toRepeated(command.split(' '), last.test, tests).words.join(' ')
}

const ONE = 'e2e/save.spec.ts:12 --project=chromium'

describe('the command that repeats one test', () => {
  it.each([
    ['npx playwright test', `npx playwright test ${ONE}`],
    ['npx playwright test e2e save.spec.ts:12 -c e2e.config.ts', `npx playwright test -c e2e.config.ts ${ONE}`],
    ['npx playwright test -g smoke --headed', `npx playwright test --headed ${ONE}`],
    ['npx playwright test --grep=smoke -gsmoke -G slow --grep-invert slow', `npx playwright test ${ONE}`],
    ['npx playwright test --shard=1/3 --last-failed -x --max-failures 2', `npx playwright test ${ONE}`],
    ['npx playwright test --only-changed main --workers 2', `npx playwright test --workers 2 ${ONE}`],
    ['npx playwright test --project firefox webkit --trace on', `npx playwright test --trace on ${ONE}`],
    ['npx playwright test --repeat-each 3 --test-list tests.txt', `npx playwright test ${ONE}`],
    ['pnpm exec playwright test save', `pnpm exec playwright test ${ONE}`],
    ['node node_modules/@playwright/test/cli.js test save', `node node_modules/@playwright/test/cli.js test ${ONE}`],
    ['npm run e2e', `npm run e2e -- ${ONE}`],
    ['npm test', `npm test -- ${ONE}`],
    ['npm run e2e -- -g smoke save', `npm run e2e -- ${ONE}`],
    ['yarn e2e --config a.ts e2e/save -g smoke', `yarn e2e --config a.ts ${ONE}`],
    ['pnpm run e2e --shard 1/2', `pnpm run e2e ${ONE}`],
    ['./run-e2e staging --grep smoke', `./run-e2e staging ${ONE}`],
  ])('of %j leaves out what would choose others', (command, expected) => {
    expect(repeat(command)).toBe(expected)
  })

  it('names the tests before it in its serial suite', () => {
    const tests = [learned('starts', 3, { serial: 'a' }), learned('other', 5), learned('ends', 9, { serial: 'a' })]
    const { words, count } = toRepeated(
      ['npx', 'playwright', 'test'],
      { ...saves.test, title: ['ends'], line: 9 },
      tests,
    )
    expect(words.slice(3)).toEqual(['e2e/save.spec.ts:3', 'e2e/save.spec.ts:9', '--project=chromium'])
    expect(count).toBe(2)
  })

  it('names the whole title of a test that shares its line with others', () => {
    const tests = [learned('saves 10', 12), learned('saves 1', 12)]
    expect(repeat('npx playwright test', tests)).toBe(`npx playwright test ${ONE} --grep=saves 1(?= @|$)`)
  })
})

it('runs variants without options that would leave out tests that have just run', () => {
  const words = 'npx playwright test save -g smoke --shard=1/2 --last-failed --only-changed main -j 2'.split(' ')
  expect(withoutPart(words).join(' ')).toBe('npx playwright test save -g smoke -j 2')
})
