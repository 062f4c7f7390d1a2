import { useRef, useState } from 'hono/jsx/dom'
import type { JournalEntry, toWireMockEvent } from '../../../../../sessions/journal/wiremock-json.ts'
import { createId, go, toHere, toView, useAddress, useUnsaved } from '../../address.ts'
import type { Source } from '../../api.ts'
import { useAction, useLive, useResource } from '../../live.ts'
import { Button, Link } from '../../parts/controls.tsx'
import { Diff } from '../../parts/diff.tsx'
import { FormField, Form, Select, TextField, valueOf } from '../../parts/form.tsx'
import { toPrettyText } from '../../parts/json-tree.ts'
import { Json } from '../../parts/json.tsx'
import { Card, ErrorNotice, ViewHead } from '../../parts/layout.tsx'
import { Status, toDurationText } from '../../parts/status.tsx'
import { WhyOf } from '../requests/detail.tsx'
import { parseJournalEntry, fromWireMockEvent } from '../requests/entries.ts'
import type { ScenarioOverview } from '../scenarios/scenario-data.ts'
import {
  findRecordPath,
  listSentOperations,
  toRequestDraft,
  toExample,
  toDraftHeaders,
  withCurrentVersion,
} from './draft.ts'
import type { RequestDraft, SentOperation } from './draft.ts'

const SENT_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const OFFERED_SCOPES = ['view_test', 'manage_test', 'manage_products', 'manage_project']

/** How many of the newest requests are searched for the one that was sent. */
const NEWEST_SENT = 50

const EMPTY_DRAFT: RequestDraft = {
  method: 'GET',
  url: '/acme/resource?limit=5',
  headers: '',
  body: '',
  token: 'all',
  scenario: '',
}

/**
 * Sends a request to the service, like any client, and finds it in the journal.
 *
 * @throws {Error} if the journal does not have it.
 */
async function sendNew(source: Source, draft: RequestDraft, file: File | undefined): Promise<JournalEntry> {
  const correlationId = `send-${createId()}`
  const base = location.pathname.replace(/\/@[^/]*/, '').replace(/\/__admin\/?$/, '')
  const isRead = draft.method === 'GET' || draft.method === 'HEAD'
  const body = file ?? (isRead || draft.body === '' ? null : draft.body)
  const headers = new Headers(toDraftHeaders(draft))
  headers.set('X-Mock-Session', source.session)
  headers.set('X-Correlation-ID', correlationId)
  const init = { method: draft.method, headers, body, redirect: 'manual' } as const
  // A scenario may break the connection; the journal has the details.
  const failure = await fetch(base + draft.url, init)
    .then((response) => response.arrayBuffer())
    .then(() => undefined, String)
  const { requests } = JSON.parse(await source.readText(`/requests?limit=${NEWEST_SENT}`)) as {
    requests: readonly ReturnType<typeof toWireMockEvent>[]
  }
  const entry = requests.find((one) => one.correlationId === correlationId)
  if (entry === undefined) throw new Error(failure ?? 'The request was sent, but the journal does not have it.')
  return fromWireMockEvent(entry)
}

/** Sends a request of the journal again. */
const sendAgain = async (source: Source, first: JournalEntry, draft: RequestDraft): Promise<JournalEntry> =>
  fromWireMockEvent(
    (await source.send('POST', `/requests/${encodeURIComponent(first.id)}/resend`, {
      method: draft.method,
      url: draft.url,
      headers: {
        ...Object.fromEntries(Object.keys(first.headers).map((name) => [name, null])),
        ...toDraftHeaders(draft),
      },
      // An unchanged body may be binary, or longer than what is shown.
      ...(draft.body === toRequestDraft(first).body ? {} : { body: draft.body }),
    })) as ReturnType<typeof toWireMockEvent>,
  )

const SentOutcome = ({ entry, first }: { readonly entry: JournalEntry; readonly first: JournalEntry | undefined }) => {
  const { response } = entry
  return (
    <Card
      title="Response"
      tools={
        <Link class="button small" href={toView('', { request: entry.id })}>
          Open in Requests
        </Link>
      }
    >
      <p class="facts">
        {first !== undefined && (
          <span>
            Before <Status status={first.response.status} /> now
          </span>
        )}
        <Status status={response.status} />
        <span>{toDurationText(entry.durationMilliseconds)}</span>
        {response.fault !== undefined && <span>{response.fault}</span>}
        {entry.scenarios.length > 0 && <span>Scenario {entry.scenarios.join(', ')} fired</span>}
      </p>
      <WhyOf entry={entry} />
      {response.body === '' ? <p class="quiet">No body</p> : <Json text={response.body} label="Response body" />}
      {first !== undefined && (
        <section aria-label="Changes of the response">
          <h3>Changes of the body</h3>
          <Diff
            label="Changes of the body"
            before={toPrettyText(first.response.body)}
            after={toPrettyText(response.body)}
          />
        </section>
      )}
    </Card>
  )
}

interface ComposerProps {
  readonly initial: RequestDraft
  /** Whether it sends another version than the request or example that it started from. */
  readonly isUpdated: boolean
  readonly operation: SentOperation | undefined
  /** The request that is sent again. */
  readonly first: JournalEntry | undefined
}

/** The form for a request, and its response. */
function Composer({ initial, isUpdated, operation, first }: ComposerProps) {
  const { source } = useLive()
  const [draft, setDraft] = useState(initial)
  const [entry, setEntry] = useState<JournalEntry | undefined>(undefined)
  /** The draft as it was sent: the journal has it. */
  const [sent, setSent] = useState<RequestDraft | undefined>(undefined)
  useUnsaved(draft !== initial && draft !== sent)
  const { run, isBusy, error } = useAction()
  const { value: list } = useResource<ScenarioOverview>('/scenarios', ['scenario'])
  const file = useRef<HTMLInputElement>(null)
  const names = ['', 'none', ...(list?.scenarios.map(({ name }) => name) ?? [])]
  const isImage = (operation?.images.length ?? 0) > 0
  const edit = (name: keyof RequestDraft) => (event: Event) => setDraft({ ...draft, [name]: valueOf(event) })
  const choose = (
    name: keyof RequestDraft,
    label: string,
    options: readonly string[],
    toText: (one: string) => string = String,
  ) => (
    <FormField label={label}>
      {({ id }) => (
        <Select
          id={id}
          value={draft[name]}
          options={[...new Set([...options, draft[name]])].map((one) => [one, toText(one)])}
          onChoose={(one) => setDraft({ ...draft, [name]: one })}
        />
      )}
    </FormField>
  )
  const area = (name: 'headers' | 'body', label: string, least: number, hint: string | undefined) => (
    <FormField label={label} hint={hint}>
      {(field) => (
        <textarea
          {...field}
          rows={Math.min(24, Math.max(least, draft[name].split('\n').length + 1))}
          spellcheck={false}
          value={draft[name]}
          onInput={edit(name)}
        />
      )}
    </FormField>
  )
  const submit = async (): Promise<void> => {
    setEntry(undefined)
    setSent(draft)
    setEntry(
      await (first === undefined ? sendNew(source, draft, file.current?.files?.[0]) : sendAgain(source, first, draft)),
    )
  }
  return (
    <div class="line columns">
      <Card title={first === undefined ? (operation?.id ?? 'Request') : 'Edit and resend'}>
        <Form onSubmit={() => void run(submit)} error={error}>
          <div class="line">
            {choose('method', 'Method', SENT_METHODS)}
            <TextField label="Path" class="mono" value={draft.url} onInput={edit('url')} />
          </div>
          <div class="line">
            {choose('token', 'Token', ['all', 'none', ...OFFERED_SCOPES], (one) =>
              one === 'all' ? 'With all scopes' : one === 'none' ? 'No token' : `Only ${one}`,
            )}
            {choose('scenario', 'Scenario', names, (one) =>
              one === '' ? 'Active in the session' : one === 'none' ? 'None' : one,
            )}
          </div>
          {area('headers', 'Headers', 3, 'name: value, one per line')}
          {isImage ? (
            <TextField label="Image" ref={file} type="file" accept={operation?.images.join()} required />
          ) : (
            area('body', 'Body', 6, isUpdated ? 'The version is the current one.' : undefined)
          )}
          <div class="tools">
            <Button type="submit" kind="primary" icon="send" isBusy={isBusy}>
              Send
            </Button>
          </div>
        </Form>
      </Card>
      {entry === undefined ? (
        <Card title="Response">
          <p class="quiet">
            Send the request to see its response. It goes to session {source.session} and is listed under Requests.
          </p>
        </Card>
      ) : (
        <SentOutcome entry={entry} first={first} />
      )}
    </div>
  )
}

/** The one form to send requests: new ones, an operation's example, or one of the journal again. */
export function SendView() {
  const { source } = useLive()
  const { params } = useAddress()
  const [id, from] = [params.get('operation') ?? '', params.get('from') ?? '']
  const document = useResource('/openapi.json', [], listSentOperations)
  const { value: first, error } = useResource(
    from === '' ? undefined : `/requests/${encodeURIComponent(from)}`,
    [],
    parseJournalEntry,
  )
  const operations = document.value ?? []
  const operation = operations.find((one) => one.id === id)
  const isUnknown = document.value !== undefined && id !== '' && operation === undefined
  const draft =
    from !== '' ? first && toRequestDraft(first) : id !== '' ? operation && toExample(operation) : EMPTY_DRAFT
  const record = useResource(draft && findRecordPath(draft), [], String)
  const isReady =
    draft !== undefined &&
    (findRecordPath(draft) === undefined || record.value !== undefined || record.error !== undefined)
  const initial = isReady ? withCurrentVersion(draft, record.value) : undefined
  return (
    <>
      <ViewHead title="Send a request">
        <label for="start">Start from</label>
        <Select
          id="start"
          value={id}
          options={[['', 'an empty request'], ...operations.map((one) => [one.id, one.id] as const)]}
          onChoose={(next) => go(toHere({ operation: next, from: undefined }))}
        />
      </ViewHead>
      <ErrorNotice error={error ?? document.error} />
      {isUnknown && <ErrorNotice error={`Unknown operation "${id}".`} />}
      {source.isReadOnly && <p class="quiet">The session has ended and takes no requests.</p>}
      {!source.isReadOnly && initial !== undefined && (
        <Composer
          key={`${id} ${from}`}
          initial={initial}
          isUpdated={initial.url !== draft?.url || initial.body !== draft.body}
          operation={operation}
          first={first}
        />
      )}
    </>
  )
}
