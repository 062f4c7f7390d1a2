import { options } from '../../options/table.ts'
import { defineCommand } from '../command.ts'

export const serve = defineCommand({
  name: 'serve',
  summary: 'start the mock (the default)',
  description: 'Starts the mock and prints its address to standard output when it accepts connections.',
  options,
  hasConfig: true,
  async run(settings) {
    const { runMock } = await import('../server.ts')
    await runMock(settings)
  },
})
