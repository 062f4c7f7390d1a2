import { isAbort } from '../api/failure.ts'
import { currentAccess, signIn } from '../api/token.ts'
import type { Access } from '../api/token.ts'
import type { Page } from '../page.ts'
import { toList } from '../route.ts'
import { element } from '../ui/element.ts'
import { complain } from './complaint.ts'

interface Account {
  readonly label: string
  readonly hint: string
}

export const accounts: Readonly<Record<Access, Account>> = {
  manager: { label: 'Manager', hint: 'Reads and writes: products, photos, notes.' },
  viewer: { label: 'Read only', hint: 'Sees everything that staff see, but cannot change it.' },
  guest: { label: 'Guest', hint: 'Browses without signing in.' },
}

function toOption(access: Access, { label, hint }: Account): HTMLElement {
  const id = `access-${access}`
  return element(
    'div',
    { class: 'option' },
    element('input', {
      type: 'radio',
      name: 'access',
      id,
      value: access,
      checked: access === currentAccess(),
      'aria-describedby': `${id}-hint`,
    }),
    element('label', { for: id }, label),
    element('p', { class: 'hint', id: `${id}-hint` }, hint),
  )
}

/** The roles to sign in with: each gets a token with different scopes. */
export async function showSignIn({ show, signal, finish }: Page): Promise<void> {
  const place = element('div', { class: 'complaint-place' })
  const options = Object.entries(accounts) as [Access, Account][]

  async function submit(form: HTMLFormElement): Promise<void> {
    const chosen = options.find(([access]) => access === new FormData(form).get('access'))
    if (chosen === undefined) return
    const [access, { label }] = chosen
    try {
      await signIn(access, signal)
      finish(toList(), `Signed in as: ${label}.`)
    } catch (fault) {
      if (!isAbort(fault)) complain(place, fault, 'Sign-in failed.')
    }
  }

  const form: HTMLFormElement = element(
    'form',
    {
      class: 'form',
      onsubmit(event) {
        event.preventDefault()
        void submit(form)
      },
    },
    element(
      'fieldset',
      {},
      element('legend', {}, 'Sign in as'),
      ...options.map(([access, account]) => toOption(access, account)),
    ),
    place,
    element('button', { type: 'submit', class: 'primary' }, 'Sign in'),
  )
  show('Sign in', form)
}
