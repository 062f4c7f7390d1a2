import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'vitest'

/** A line of a Dockerfile, such as `RUN npm install`. */
interface Instruction {
  readonly name: string
  readonly rest: string
}

/** The instructions of a Dockerfile that remain to be run. */
export interface Image {
  readonly env: Readonly<Record<string, string>>
  /** The user who runs it. */
  readonly user: string
  readonly port: string
  /** The command of `docker run`, with the arguments after the name of the image. */
  readonly entryPoint: readonly string[]
  readonly healthCheck: readonly string[]
}

const parse = (text: string): readonly Instruction[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = ''] = line.split(' ', 1)
      return { name, rest: line.slice(name.length + 1) }
    })

/** The exec form: its list is run unchanged, without a shell. */
const parseExec = (text: string): readonly string[] => JSON.parse(text) as readonly string[]

/**
 * Does in a folder what `docker build` does in an image: this machine replaces the base image, so only the first line, the
 * image of Node, is untested.
 *
 * @param app replaces the working directory of the image
 */
export async function build(
  text: string,
  { context, app }: { readonly context: string; readonly app: string },
): Promise<Image> {
  const shell = (command: string, cwd: string) => promisify(execFile)('sh', ['-ec', command], { cwd })
  const image = {
    env: {} as Record<string, string>,
    user: 'root',
    port: '',
    entryPoint: [] as readonly string[],
    healthCheck: [] as readonly string[],
  }
  await mkdir(app)
  for (const { name, rest } of parse(text)) {
    switch (name) {
      case 'COPY': {
        const [from = '', to = ''] = rest.split(' ')
        await shell(`cp -r ${from} ${app}/${to}`, context)
        break
      }
      case 'RUN':
        await shell(rest, app)
        break
      case 'ENV': {
        const [variable = '', value = ''] = rest.split('=')
        image.env[variable] = value
        break
      }
      case 'USER':
        image.user = rest
        break
      case 'EXPOSE':
        image.port = rest
        break
      case 'ENTRYPOINT':
        image.entryPoint = parseExec(rest)
        break
      case 'HEALTHCHECK':
        image.healthCheck = parseExec(rest.replace(/^CMD /, ''))
        break
      case 'WORKDIR':
        expect(rest).toBe('/app')
        break
      default:
        expect(`${name} ${rest}`).toBe('FROM node:22-slim')
    }
  }
  return image
}
