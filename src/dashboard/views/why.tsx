import type { Conflict } from '../../admin/conflict.ts'
import { explain } from '../../admin/explanation.ts'
import type { ExplainedRequest } from '../../admin/explanation.ts'
import { endpoints } from '../../contract/endpoints.ts'
import { decisions } from '../../contract/decisions.ts'
import type { JournalEntry } from '../../journal/record.ts'
import type { NearOperation } from '../../journal/near-misses.ts'
import { findRecovery } from '../../journal/retries.ts'
import { toSwitch } from '../changes.ts'
import { Act } from '../parts/act.tsx'
import { Excerpt } from '../parts/fault.tsx'
import { Icon } from '../parts/icon.tsx'
import { Status, Time } from '../parts/status.tsx'
import { activeOf } from '../view-context.ts'
import type { ViewContext } from '../view-context.ts'

interface WhyProps {
  readonly context: ViewContext
  readonly entry: JournalEntry
}

/** Each scenario that fired, with its description and a button that switches it off. */
const Actors = ({ context, entry }: WhyProps) => {
  const { session, parts, place } = context
  const active = activeOf(context)
  return (
    <>
      {entry.scenarios.map((name) => (
        <div class="reason actor">
          <Icon name="scenarios" />
          <div>
            <p>
              Scenario <b>{name}</b> fired.{' '}
              {(session.scenarios.defined.get(name) ?? parts.catalog.find(name))?.description}
            </p>
            {active.includes(name) && (
              <Act place={place} calls={[toSwitch(name, 'off')]} canUndo done={`${name} is off.`}>
                <button class="button small">Switch off</button>
              </Act>
            )}
          </div>
        </div>
      ))}
    </>
  )
}

const Failure = ({
  explanation: {
    failure,
    entry: {
      response: { fault },
    },
  },
}: {
  readonly explanation: ExplainedRequest
}) => (
  <>
    {failure !== undefined && (
      <div class="reason failure">
        <Icon name="alert" />
        <div>
          <p>
            <b>{failure.message.split('\n', 1)[0]}</b>
          </p>
          {failure.message.includes('\n') && (
            <Excerpt text={failure.message.slice(failure.message.indexOf('\n') + 1)} />
          )}
          {failure.detail !== undefined && <p>{failure.detail}</p>}
          <p class="quiet">{failure.code}</p>
        </div>
      </div>
    )}
    {fault !== undefined && (
      <div class="reason failure">
        <Icon name="alert" />
        <p>
          <b>Connection broken: {fault}.</b>
        </p>
      </div>
    )}
  </>
)

/** What the client of a version conflict sent, and who wrote the version that was current. */
const Overtaken = ({ context, entry, conflict }: WhyProps & { readonly conflict: Conflict }) => {
  const { sentence, currentVersion } = conflict
  const writer = currentVersion?.entry
  return (
    <div class="reason">
      <Icon name="info" />
      <p>
        {sentence}{' '}
        {writer !== undefined && writer.id !== entry.id && (
          <a href={context.place.to('requests', { request: writer.id, from: context.param('from') })}>
            Open that request
          </a>
        )}
      </p>
    </div>
  )
}

const Misses = ({ misses }: { readonly misses: readonly NearOperation[] }) => (
  <div class="reason">
    <Icon name="info" />
    <div>
      <p>No operation matches. Nearest:</p>
      <ol class="misses">
        {misses.map(({ operation, differences }) => (
          <li>
            <code>
              {endpoints[operation].method} {endpoints[operation].path}
            </code>{' '}
            {operation}
            <ul>
              {differences.map(({ member, expected, actual }) => (
                <li>
                  {member}: <del>{String(actual)}</del> <ins>{String(expected)}</ins>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  </div>
)

/** Why a request got its response. */
export const Why = async ({ context, entry }: WhyProps) => {
  const { parts } = context
  const session = parts.sessions.find(entry.session)
  if (session === undefined) return null
  const explanation = await explain(parts, session, entry)
  const { conflict, nearMisses, attempt } = explanation
  const recovery = attempt && findRecovery(attempt)
  const warnings = entry.warnings.map((warning) => {
    const [decision = ''] = warning.split(' ', 1)
    return { decision, sentence: warning.slice(decision.length + 1) }
  })
  const hasReasons =
    explanation.failure !== undefined ||
    entry.response.fault !== undefined ||
    entry.scenarios.length > 0 ||
    warnings.length > 0
  if (!hasReasons) return null
  return (
    <section class="why" aria-label="Why">
      <Failure explanation={explanation} />
      {conflict !== undefined && <Overtaken context={context} entry={entry} conflict={conflict} />}
      <Actors context={context} entry={entry} />
      {nearMisses.length > 0 && <Misses misses={nearMisses} />}
      {warnings.map(({ decision, sentence }) => (
        <div class="reason warning">
          <Icon name="alert" />
          <p>
            Warning: {sentence}{' '}
            <span
              class="quiet"
              title={Object.hasOwn(decisions, decision) ? decisions[decision as keyof typeof decisions] : undefined}
            >
              {decision}
            </span>
          </p>
        </div>
      ))}
      {recovery !== undefined && (
        <div class="reason recovery">
          <Icon name="check" />
          <p>
            The retry succeeded:{' '}
            <a href={context.place.to('requests', { request: recovery.id, from: context.param('from') })}>
              <Status status={recovery.response.status} /> at <Time at={recovery.time} />
            </a>
          </p>
        </div>
      )}
    </section>
  )
}
