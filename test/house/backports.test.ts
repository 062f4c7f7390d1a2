import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { createTemporaryFolder } from '../edges/cli/temporary-folder.ts'

/** The output of `.ci/backports` for a machine with these apt files. */
async function findBackports(files: Readonly<Record<string, string>>) {
  const folder = await createTemporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
  const { status, stdout } = spawnSync('bash', [join('.ci', 'backports'), 'bookworm', folder], { encoding: 'utf8' })
  return { status, line: stdout.trimEnd() }
}

const stanza = (...lines: readonly string[]) => `${lines.join('\n')}\n`

it.each<readonly [string, Readonly<Record<string, string>>, string]>([
  [
    'a list',
    {
      'sources.list':
        '# deb http://old.example bookworm main\ndeb-src http://a.example/debian bookworm main\ndeb http://a.example/debian bookworm main contrib\n',
    },
    'deb http://a.example/debian bookworm-backports main',
  ],
  [
    'a list with options',
    {
      'sources.list.d/b.list':
        'deb [arch=amd64 signed-by=/usr/share/keyrings/d.gpg] https://b.example/debian bookworm main\n',
    },
    'deb [arch=amd64 signed-by=/usr/share/keyrings/d.gpg] https://b.example/debian bookworm-backports main',
  ],
  [
    'paragraphs',
    {
      'sources.list.d/debian.sources': stanza(
        'Types: deb',
        'URIs: http://security.example/debian-security',
        'Suites: bookworm-security',
        'Components: main',
        '',
        '# http://snapshot.example',
        'Types: deb deb-src',
        'URIs: http://c.example/debian http://other.example/debian',
        'Suites: bookworm bookworm-updates',
        'Components: main',
        'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg',
      ),
    },
    'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://c.example/debian bookworm-backports main',
  ],
  [
    'paragraphs with continuation lines, one of them disabled',
    {
      'sources.list.d/a.sources': stanza('Types: deb', 'URIs: http://off.example', 'Suites: bookworm', 'Enabled: no'),
      'sources.list.d/b.sources': stanza(
        'types: deb',
        'uris:',
        ' http://d.example/debian',
        'suites:',
        ' bookworm',
        'trusted: yes',
      ),
    },
    'deb [trusted=yes] http://d.example/debian bookworm-backports main',
  ],
])('continuous integration uses backports from the Debian mirror of the sources: %s', async (_how, files, line) => {
  expect(await findBackports(files)).toEqual({ status: 0, line })
})

it.each<readonly [string, Readonly<Record<string, string>>]>([
  ['none', {}],
  ['another release', { 'sources.list': 'deb http://a.example/debian trixie main\n' }],
  ['a disabled file', { 'sources.list.d/a.list.off': 'deb http://a.example/debian bookworm main\n' }],
])('continuous integration omits backports if the sources name no mirror of the release: %s', async (_what, files) => {
  expect(await findBackports(files)).toEqual({ status: 1, line: '' })
})
