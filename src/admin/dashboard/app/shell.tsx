import { useLayoutEffect, useRef, useState } from 'hono/jsx/dom'
import { VERSION } from '../../../version.ts'
import { toHere, toSession, toView, useAddress } from './address.ts'
import { useAction, useConnection, useLive, useResource } from './live.ts'
import { Button, Chip, Link } from './parts/controls.tsx'
import { ConfirmButton } from './parts/dialog.tsx'
import { Icon } from './parts/icon.tsx'
import { ErrorNotice, Notice } from './parts/layout.tsx'
import { chooseTheme, readTheme, themes } from './theme.ts'
import type { Theme } from './theme.ts'
import { Present } from './present.tsx'
import { switchScenario } from './views/scenarios/scenario-data.ts'
import { findView, views } from './views/views.ts'

const THEME_LABELS = {
  auto: ['screen', 'System colours'],
  light: ['sun', 'Light colours'],
  dark: ['moon', 'Dark colours'],
} as const satisfies Record<Theme, unknown>

/** How long a message is visible, in milliseconds. */
const MESSAGE = 8000

function Themes() {
  const [theme, setTheme] = useState(readTheme())
  return (
    <div class="line" role="group" aria-label="Colours">
      {themes.map((name) => {
        const [icon, label] = THEME_LABELS[name]
        const choose = (): void => {
          chooseTheme(name)
          setTheme(name)
        }
        return <Button key={name} kind="plain" icon={icon} label={label} isPressed={theme === name} onClick={choose} />
      })}
    </div>
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

/** The frame of every view. */
export function DashboardShell({ leftOut }: { readonly leftOut?: string | undefined }) {
  const { source } = useLive()
  const { view: name, params } = useAddress()
  const view = findView(name)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    document.title = `${view.title} · ${source.session}`
    // The first view has its focus where the browser puts it; later ones start at their heading.
    if (!isFirst.current) main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [view.name])
  if (params.has('present')) return <Present />
  const View = view.component
  return (
    <div class="shell">
      <a class="button sr skip" href="#main">
        Skip to content
      </a>
      <header class="side">
        <Link class="brand" href={toView('')}>
          <Icon name="brand" />
          <span>
            resource-mock <small class="quiet">{VERSION}</small>
          </span>
        </Link>
        <nav aria-label="Views">
          <ul>
            {views
              .filter(({ filePath = '' }) => source.has(filePath))
              .map((one) => (
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
          {source.isFile ? (
            <span class="session-name">{source.session}</span>
          ) : (
            <Link class="session-name" href={toView('sessions')} title="Switch to another session">
              {source.session}
            </Link>
          )}
          {!source.isReadOnly && (
            <p>
              <Link href={toHere({ present: 'true' })}>Present</Link>
            </p>
          )}
        </section>
        {!source.isFile && <ActiveScenarios />}
        <div class="stack side-foot">
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
          <Themes />
        </div>
      </header>
      <main id="main" ref={main} tabindex={-1}>
        <ConnectionNotice />
        <ArchiveNotice leftOut={leftOut} />
        {!source.isFile && <FileProblems />}
        <View key={view.name} />
      </main>
      <Messages />
    </div>
  )
}
