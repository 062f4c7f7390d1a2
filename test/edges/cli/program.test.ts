import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, createProgram, runProgram } from '../../../src/edges/cli/program.ts'
import { SetupError } from '../../../src/errors.ts'
import { optionEntries } from '../../../src/app/options/options.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

interface Ran {
  readonly command: string
  readonly argument: string
  readonly settings: unknown
}

/** Runs a command line in-process, with commands that only record their settings. */
async function run(args: readonly string[], { folder = '/home/me', env = {} } = {}) {
  const ran: Ran[] = []
  const recording = commands.map((entry) => ({
    ...entry,
    run: async (settings: unknown, { argument }: { readonly argument: string }) =>
      void ran.push({ command: entry.name, argument, settings }),
  }))
  const program = createProgram(recording, { folder, env, version: '1.2.3' })
  const shown: string[] = []
  for (const command of [program, ...program.commands])
    command.configureOutput({ writeOut: (text) => void shown.push(text) })
  await runProgram(program, args)
  return { ran, shown: shown.join('') }
}

describe('openapi', () => {
  it.each([
    [['openapi'], { yaml: false, openapiVersion: '3.1' }],
    [['openapi', '--yaml', '--openapi-version', '3.0'], { yaml: true, openapiVersion: '3.0' }],
  ])('prints the document for %j', async (args, settings) => {
    expect((await run(args)).ran).toEqual([{ command: 'openapi', argument: '', settings }])
  })
})

it('completion requires the name of a shell', async () => {
  expect((await run(['completion', 'zsh'])).ran).toMatchObject([{ command: 'completion', argument: 'zsh' }])
  await expect(run(['completion'])).rejects.toThrow('The argument <shell> is missing.')
})

describe('serve', () => {
  it.each([[[]], [['serve']]])('runs for the command line %j', async (args) => {
    expect((await run(args)).ran).toMatchObject([{ command: 'serve', settings: { port: 4010 } }])
  })

  it('accepts its options with and without the name of the command', async () => {
    const args = ['-p', '0', '--auth=strict', '--strict', '--client', 'a:1', '--client', 'b:2', '-d', '5', '--no-cors']
    const delay = { from: 5, to: 5 }
    const settings = { port: 0, auth: 'strict', strict: true, clients: ['a:1', 'b:2'], delay, cors: 'off' }
    expect((await run(args)).ran).toMatchObject([{ command: 'serve', settings }])
    expect((await run(['serve', ...args])).ran).toMatchObject([{ command: 'serve', settings }])
  })

  it('reads the configuration file of the working folder', async () => {
    const folder = await createTemporaryFolder({
      'resource-mock.config.json': '{ "port": 5000, "persist": "state.json" }',
    })
    expect((await run(['--port', '1'], { folder })).ran).toMatchObject([
      { settings: { port: 1, persist: join(folder, 'state.json') } },
    ])
  })

  it('reads the file of --config', async () => {
    const folder = await createTemporaryFolder({ 'other.json': '{ "port": 5000 }' })
    expect((await run(['--config', 'other.json'], { folder })).ran).toMatchObject([
      { command: 'serve', settings: { port: 5000 } },
    ])
  })

  it.each([
    [['--strict', '--no-strict'], { strict: false }],
    [['--no-strict'], { strict: false }],
    [['--no-admin', '--admin'], { admin: true }],
    [['--admin'], { admin: true }],
    [['-w', '--no-watch', '--no-open', '--no-detach', '--no-check-responses'], { watch: false, open: false }],
  ])('undoes a switch of the configuration file: %j', async (args, settings) => {
    const folder = await createTemporaryFolder()
    const config = { strict: true, admin: false, watch: true, open: true }
    await writeFile(join(folder, 'resource-mock.config.json'), JSON.stringify(config))
    expect((await run(args, { folder })).ran).toMatchObject([{ settings }])
  })

  it.each([[['--', '--port', '1']], [['serve', '--', '--port', '1']], [['--strict', '--', '--port', '1']]])(
    'drops the -- that pnpm passes on: %j',
    async (args) => {
      expect((await run(args)).ran).toMatchObject([{ command: 'serve', settings: { port: 1 } }])
    },
  )

  it('uses the last of several values of an option', async () => {
    expect((await run(['--port', '1', '--port', '2'])).ran).toMatchObject([{ command: 'serve', settings: { port: 2 } }])
  })
})

describe('options before the command', () => {
  it.each<readonly [readonly string[], Partial<Ran>]>([
    [['--port', '0', 'serve', '--log', 'silent'], { command: 'serve', settings: { port: 0, log: 'silent' } }],
    [
      ['--log', 'json', '--no-admin', 'proxy', 'http://a'],
      { command: 'proxy', argument: 'http://a', settings: { log: 'json', admin: false } },
    ],
    [['--json', 'scenarios'], { command: 'scenarios', settings: { json: true } }],
    [['--scenario', 'mcp', '-w', 'serve'], { command: 'serve', settings: { scenario: ['mcp'], watch: true } }],
  ])('belong to it: %j', async (args, ran) => {
    expect((await run(args)).ran).toMatchObject([ran])
  })

  it('are refused if it does not have them', async () => {
    await expect(run(['--seed', '1', 'proxy', 'http://a'])).rejects.toThrow(
      'The option --seed belongs to "resource-mock" and',
    )
  })
})

describe('scenarios', () => {
  it.each([
    [['scenarios'], { json: false }],
    [['scenarios', '--json'], { json: true }],
    [['scenarios', '--scenarios', 'mine'], { scenarios: '/home/me/mine', json: false }],
  ])('accepts %j', async (args, settings) => {
    expect((await run(args)).ran).toMatchObject([{ command: 'scenarios', settings }])
  })

  it('reads only the folder from the configuration file', async () => {
    const folder = await createTemporaryFolder({
      'resource-mock.config.json': '{ "port": "abc", "scenarios": "mine" }',
    })
    const { ran } = await run(['scenarios'], { folder, env: { PORT: 'abc' } })
    expect(ran).toMatchObject([{ settings: { scenarios: join(folder, 'mine'), json: false } }])
  })
})

describe('proxy', () => {
  it('accepts the options that it shares with the mock, and no others', async () => {
    const args = ['proxy', 'http://localhost:1', '--record', 'mine', '--fallback', '-p', '0', '--log=json']
    const own = { record: '/home/me/mine', fallback: true, timeout: 30_000 }
    const shared = { port: 0, log: 'json', host: '127.0.0.1', admin: true }
    const argument = 'http://localhost:1'
    expect((await run(args)).ran).toMatchObject([{ command: 'proxy', argument, settings: { ...own, ...shared } }])
    expect((await run(['proxy', argument, '--no-admin'])).ran).toMatchObject([
      { argument, settings: { admin: false, fallback: false } },
    ])
    await expect(run(['proxy', 'http://localhost:1', '--auth', 'off'])).rejects.toThrow(
      'The option --auth belongs to "resource-mock"',
    )
  })
})

describe('mcp', () => {
  it('drives a running mock or a new one', async () => {
    const { ran } = await run(['mcp', '--url', 'http://localhost:1', '--read-only', '--admin-token', 'a'])
    expect(ran).toMatchObject([
      { command: 'mcp', settings: { url: 'http://localhost:1', readOnly: true, adminToken: 'a' } },
    ])
    expect((await run(['mcp', '-p', '0'])).ran).toMatchObject([{ settings: { readOnly: false, port: 0 } }])
  })
})

describe('init', () => {
  it.each([
    [['init'], '.'],
    [['init', 'there'], 'there'],
  ])('writes to the folder of %j', async (args, argument) => {
    expect((await run(args)).ran).toMatchObject([{ command: 'init', argument }])
  })
})

describe('verify', () => {
  it('accepts its options', async () => {
    const args = ['verify', '--allow-writes', 'http://a', '--token', 'b', '--project=p', '--only', 'getAction']
    const settings = {
      url: 'http://a',
      credentials: { kind: 'token', token: 'b' },
      project: 'p',
      allowsWrites: true,
      only: ['getAction', 'postAction', 'postComplex'],
      reporter: 'pretty',
      timeout: 10_000,
    }
    expect((await run([...args, '--only', 'postAction,postComplex'])).ran).toMatchObject([
      { command: 'verify', settings },
    ])
  })

  it('requires a URL', async () => {
    await expect(run(['verify'])).rejects.toThrow('The argument <url> is missing. See: resource-mock verify --help')
  })
})

describe('refuses with one sentence', () => {
  it.each([
    [['--prot', '1'], 'Unknown option "--prot". Did you mean "--port"? List them with: resource-mock --help'],
    [['serve', '--session-tll', '1h'], 'Did you mean "--session-ttl"?'],
    [['--qqqq'], 'Unknown option "--qqqq". List them with'],
    [['-x'], 'Unknown option "-x".'],
    [['--strict=yes'], 'The option --strict does not take a value. Remove "=yes".'],
    [['--prot=1'], 'Unknown option "--prot=1". Did you mean "--port"?'],
    [['--port'], 'The option -p, --port <n> needs a value.'],
    [['--persist', '--strict'], 'The option --persist <file> needs a value, but --strict is an option.'],
    [['-s', '--port=0'], 'The option -s, --scenario <names> needs a value, but --port is an option.'],
    [
      ['verify', 'http://a', '--client', '--quick'],
      'needs a value, but --quick is an option. See: resource-mock verify --help',
    ],
    [['srve'], 'Unknown command or argument "srve". Did you mean "serve"? The commands are: serve, scenarios, init'],
    [['serve', '4010'], 'Unknown command or argument "4010".'],
    [['serve', 'verify'], 'The commands serve and verify cannot be combined. Remove one of them.'],
    [['init', 'a', 'b'], 'Unknown command or argument "b".'],
    [['scenario'], 'Did you mean "scenarios"?'],
    [['scenarios', 'mine'], 'Unknown command or argument "mine".'],
    [['scenarios', '--jsn'], 'Unknown option "--jsn". Did you mean "--json"?'],
    [['verify', 'http://a', '--strict'], 'The option --strict belongs to "resource-mock"'],
    [['verify', 'http://a', '--strict=yes'], 'The option --strict belongs to "resource-mock"'],
    [['--json'], 'The option --json belongs to "resource-mock scenarios"'],
    [
      ['verify', 'http://a', '--generat', '1'],
      'Unknown option "--generat". List them with: resource-mock verify --help',
    ],
    [['--scenario', ''], '--scenario must be a scenario name, or several, not "".'],
    [
      ['--admin-origin', 'shop.test'],
      '--admin-origin must be origins such as http://localhost:5173, separated by commas, not "shop.test".',
    ],
    [['--port', 'abc'], '--port must be a whole number from 0 to 65535, not "abc".'],
    [['--cors', ''], '--cors must be any, off or origins'],
    [['--config', 'nope.json'], '--config is "/home/me/nope.json", which cannot be read.'],
  ])('%j', async (args, sentence) => {
    await expect(run(args)).rejects.toThrow(SetupError)
    await expect(run(args)).rejects.toThrow(sentence)
    await expect(run(args)).rejects.toSatisfy((fault: Error) => !fault.message.includes('\n'))
  })
})

describe('help', () => {
  it.each([[['--help']], [['serve', '--help']], [['help', 'serve']]])(
    'of %j lists every option, its default and its variable',
    async (args) => {
      const { shown } = await run(args)
      for (const [, { flag = '--port' }] of optionEntries) expect(shown).toContain(flag)
      for (const word of [
        '--no-cors',
        '--config',
        'default: 1mb',
        'default: random',
        'env: PORT',
        'RESOURCE_MOCK_TOKEN_SECRET',
      ]) {
        // Long descriptions are wrapped.
        expect(shown.replaceAll(/\s+/g, ' ')).toContain(word)
      }
    },
  )

  it.each([
    [['--help']],
    [['scenarios', '--help']],
    [['init', '--help']],
    [['verify', '--help']],
    [['proxy', '--help']],
  ])('of %j fits 80 columns', async (args) => {
    const { shown } = await run(args)
    for (const line of shown.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  it('shows the version', async () => {
    expect((await run(['--version'])).shown).toBe('1.2.3\n')
  })
})

describe('the pages show command lines that are accepted', () => {
  const pages = [
    'README.md',
    ...readdirSync('docs')
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const lines = pages
    .flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/^npx resource-mock\b(.*)$/gm)])
    .map(([, rest = '']) =>
      rest
        .replace(/ (?:[#>]|&$).*/, '')
        .replaceAll(/["$]/g, '')
        .trim(),
    )

  it.each([...new Set(lines)])('resource-mock %s', async (line) => {
    await run(line.split(/ +/).filter((word) => word !== ''))
  })
})
