import { createNumbered, NUMBERED } from './numbered.ts'
import { createTerse, TERSE } from './terse.ts'

export const services = [
  { name: 'numbered', create: createNumbered, liberties: NUMBERED, tokenPath: '/auth/token' },
  { name: 'terse', create: createTerse, liberties: TERSE, tokenPath: '/oauth/token' },
] as const
