import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { VERSION } from '../../../version.ts'
import { go, toSession, toView, useAddress } from './address.ts'
import { useAction, useConnection, useLive, useResource } from './live.ts'
import { Button, Chip, Link, useKeys } from './parts/controls.tsx'
import { ConfirmButton, Dialog } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { ErrorNotice, Notice } from './parts/layout.tsx'
import { SessionMenu } from './sessions.tsx'
import { switchScenario } from './views/scenarios/scenario-data.ts'
import { views } from './views/views.ts'

/** How long a message is visible, in milliseconds. */
const MESSAGE = 8000

const COLORS = 'resource-mock-colors'

/** Whether the reader chose the opposite of the system's colours. */
function isOpposite(): boolean {
  try {
    return localStorage.getItem(COLORS) === 'opposite'
  } catch {
    // Storage may be blocked, and is for a page from disk.
    return false
  }
}

export function applyColors(hasOpposite = isOpposite()): void {
  document.documentElement.toggleAttribute('data-opposite', hasOpposite)
}

function ColorSwitch() {
  const [hasOpposite, setOpposite] = useState(isOpposite())
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches !== hasOpposite
  function choose(): void {
    applyColors(!hasOpposite)
    setOpposite(!hasOpposite)
    try {
      localStorage.setItem(COLORS, hasOpposite ? '' : 'opposite')
    } catch {
      // The choice lasts until the page is closed.
    }
  }
  return (
    <Button kind="plain" icon={isDark ? 'sun' : 'moon'} onClick={choose}>
      {isDark ? 'Light colours' : 'Dark colours'}
    </Button>
  )
}

/** The active scenarios, each with a button that switches it off. */
function ActiveScenarios() {
  const { source } = useLive()
  const { value } = useResource<{ readonly active: readonly string[] }>('/scenarios/active', ['scenario', 'state'])
  const { run, error } = useAction()
  return (
    <section aria-label="Active scenarios">
      <h2>Active</h2>
      {value?.active.length === 0 && <p class="quiet">No active scenarios</p>}
      <ul class="chips">
        {value?.active.map((name) => (
          <li key={name}>
            <Chip
              href={toView('scenarios', { scenario: name })}
              removeLabel={`Switch ${name} off`}
              {...(source.isReadOnly
                ? {}
                : {
                    onRemove: () => void run(() => switchScenario(source, name, false), `${name} is off.`),
                  })}
            >
              {name}
            </Chip>
          </li>
        ))}
      </ul>
      <ErrorNotice error={error} />
    </section>
  )
}

/** What was done last, and announcements for screen readers. */
function Messages() {
  const live = useLive()
  const [text, setText] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useLayoutEffect(
    () =>
      live.onNotice((next) => {
        clearTimeout(timer.current ?? undefined)
        setText(next)
        timer.current = setTimeout(() => setText(''), MESSAGE)
      }),
    [live],
  )
  return (
    <div class="messages" role="status" aria-live="polite">
      {text !== '' && <Notice kind="success">{text}</Notice>}
    </div>
  )
}

/** Says that the session has ended and is only read. */
function ArchiveNotice({ leftOut }: { readonly leftOut: string | undefined }) {
  const { source } = useLive()
  if (!source.isReadOnly) return null
  return (
    <Notice>
      {source.isFile
        ? `This file shows what the mock saw, and changes nothing. ${leftOut ?? ''}`
        : `Session ${source.session} has ended. This is its archive, which is read-only.`}
    </Notice>
  )
}

/** Says why the page may be out of date. */
function ConnectionNotice() {
  const { source } = useLive()
  const connection = useConnection()
  if (connection === 'lost')
    return <Notice kind="failure">The mock is not responding. This page will reconnect.</Notice>
  if (connection === 'refused') {
    return <Notice kind="failure">The mock refused the connection. Reload the page to try again.</Notice>
  }
  if (connection !== 'ended') return null
  return (
    <Notice kind="failure">
      Session {source.session} has ended. This page shows its last state. You can <a href={location.href}>reload it</a>,
      or go to <a href={toSession('default')}>default</a>.
    </Notice>
  )
}

/** Fixtures and scenarios that `--watch` could not read. */
function FileProblems() {
  const { value } = useResource<{ readonly problems: readonly string[] }>('/health')
  return (
    <>
      {value?.problems.map((sentence) => (
        <Notice key={sentence} kind="failure">
          {sentence} The mock still serves the last version it could read.
        </Notice>
      ))}
    </>
  )
}

const KEYS = [
  ['j, k', 'open the next or previous row of the list'],
  ['arrows, Page Up, Page Down, Home, End', 'go to another row of a list that has the focus'],
  ['Enter', 'open the row, then go to its details'],
  ['/', 'go to the filter'],
  ['1 to 6', 'open a view'],
  ['s', 'share what the page shows'],
  ['t, r', 'take a snapshot of the data, restore the last one'],
  ['Esc', 'close what is open, or leave the filter'],
  ['?', 'show these keys'],
] as const

/** The keys of the page, which `?` shows. */
function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  useKeys({ '?': () => setOpen(true) })
  if (!isOpen) return null
  return (
    <Dialog title="Keys" onClose={() => setOpen(false)}>
      <ul class="lines">
        {KEYS.map(([key, text]) => (
          <li key={key} class="line">
            <kbd class="tag">{key}</kbd> {text}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

interface ShellProps {
  readonly leftOut?: string | undefined
  /** Whether only a cookie names the session: the browser may have it from another mock or app on this host. */
  readonly isFromCookie: boolean
}

/** The frame of every view. */
export function DashboardShell({ leftOut, isFromCookie }: ShellProps) {
  const { source } = useLive()
  const { view: name } = useAddress()
  const offered = views.filter(({ isLive, filePath = '' }) => !(isLive && source.isReadOnly) && source.has(filePath))
  const view = offered.find((one) => one.name === name) ?? offered[0] ?? views[0]
  useKeys(Object.fromEntries(offered.map((one, at) => [at + 1, () => go(toView(one.name))])))
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    document.title = `${view.title} · ${source.session}`
    // The first view has its focus where the browser puts it; later ones start at their heading.
    if (!isFirst.current) main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    isFirst.current = false
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [view.name])
  const View = view.component
  return (
    <div class="shell">
      <a class="button sr skip" href="#main">
        Skip to content
      </a>
      <header class="side">
        <Link class="brand" href={toView('')} aria-label={`resource-mock ${VERSION}`}>
          <Icon name="brand" />
          <span>
            resource-mock <small class="quiet">{VERSION}</small>
          </span>
        </Link>
        <nav aria-label="Views">
          <ul>
            {offered.map((one) => (
              <li key={one.name}>
                <Link href={toView(one.name)} aria-current={one === view ? 'page' : undefined}>
                  <Icon name={one.icon} />
                  <span>{one.title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <section aria-label="Session">
          <h2>Session</h2>
          {source.isFile ? <span class="session-name">{source.session}</span> : <SessionMenu />}
        </section>
        {!source.isFile && <ActiveScenarios />}
        <button type="button" class="button plain square more" popovertarget="more" aria-label="More">
          <Icon name="more" />
        </button>
        <div id="more" popover="auto" class="side-foot">
          {!source.isReadOnly && (
            <ConfirmButton
              label="Reset session"
              confirm="Reset session"
              done="Session reset."
              act={async () => {
                await source.send('PUT', '/snapshots/before-reset')
                await source.send('POST', '/reset')
              }}
            >
              Data, scenarios and clock return to their initial state. The requests, and scenarios that were written in
              this session, are deleted. The snapshot before-reset keeps the data.
            </ConfirmButton>
          )}
          <ColorSwitch />
        </div>
      </header>
      <main id="main" ref={main} tabindex={-1}>
        <ConnectionNotice />
        {isFromCookie && (
          <Notice>
            This session comes from the cookie mock-session. <a href={toSession('default', name)}>Open default</a>
          </Notice>
        )}
        <ArchiveNotice leftOut={leftOut} />
        {!source.isFile && <FileProblems />}
        <View key={view.name} />
      </main>
      <Messages />
      <Shortcuts />
    </div>
  )
}
