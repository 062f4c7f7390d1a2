import { useState } from 'hono/jsx/dom'
import { toHere } from '../../address.ts'
import type { HistoryEvent } from '../../../../api/history.ts'
import { isToday, useLive, useResource } from '../../live.ts'
import { Link } from '../../parts/controls.tsx'
import { Sentence, toTimeText } from '../../parts/status.tsx'
import { DataTable } from '../../parts/table.tsx'
import { VersionList } from '../data/resource.tsx'
import { isGot, toStory } from './story-steps.ts'
import type { StoryStep } from './story-steps.ts'

/** Sizes of the picture in its own units: a row, the head, and the lanes. */
const STEP_HEIGHT = 34
const HEAD = 26
const OTHER = 176
const RESOURCE = 246
const APP = 316
const RIGHT = 500
/** The width of a time, with and without its date. */
const TIME = { long: 128, short: 78 }

/** How many characters fit beside the lanes of other writers and of the app. */
const LONGEST = { other: 16, app: 24 }
const toShort = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

const toWho = ({ by, name }: StoryStep): string => (by === 'app' ? 'Your app' : by === 'start' ? `The ${name}` : name)

/** An arrow from one lane to another. */
const Arrow = ({ from, to, y }: { readonly from: number; readonly to: number; readonly y: number }) => {
  const back = to > from ? -1 : 1
  return <path d={`M${from + 6 * -back} ${y}H${to + 14 * back}m${5 * back} -4l${-5 * back} 4l${5 * back} 4`} />
}

interface StepProps {
  readonly step: StoryStep
  readonly y: number
  /** The left edge of the picture. */
  readonly left: number
}

const StepRow = ({ step, y, left }: StepProps) => {
  const { kind, by, label, version, time, name, isSubject } = step
  if (kind === 'gap') {
    return (
      <text x={APP + 14} y={y + 4} class="quiet">
        … {label}
      </text>
    )
  }
  const lane = by === 'other' ? OTHER : APP
  return (
    <g class={isSubject ? `${kind} subject` : kind}>
      <text x={left} y={y + 4} class="quiet">
        {time !== undefined && toTimeText(time)}
      </text>
      {by !== 'start' && <circle cx={lane} cy={y} r={4} />}
      {kind === 'read' && <Arrow from={RESOURCE + 12} to={APP + 4} y={y} />}
      {kind === 'conflict' && <Arrow from={APP} to={RESOURCE + 6} y={y} />}
      {kind === 'write' && by !== 'start' && (
        <Arrow from={lane} to={lane === APP ? RESOURCE + 6 : RESOURCE - 6} y={y} />
      )}
      {kind === 'conflict' ? (
        <path d={`M${RESOURCE - 6} ${y - 6}l12 12m0 -12l-12 12`} />
      ) : (
        kind === 'write' && (
          <>
            <rect x={RESOURCE - 18} y={y - 10} width={36} height={20} rx={10} />
            <text x={RESOURCE} y={y + 4} text-anchor="middle">
              {version}
            </text>
          </>
        )
      )}
      {by === 'other' ? (
        <text x={OTHER - 12} y={y + 4} text-anchor="end">
          {toShort(name, LONGEST.other)}
        </text>
      ) : (
        <text x={APP + 14} y={y + 4}>
          {by === 'start' ? toShort(`from the ${name}`, LONGEST.app) : label}
        </text>
      )}
    </g>
  )
}

/** The steps from top to bottom, in three lanes: other writers, the resource, and the app. */
const Picture = ({ steps, description }: { readonly steps: readonly StoryStep[]; readonly description: string }) => {
  const height = HEAD + steps.length * STEP_HEIGHT
  const toY = (at: number): number => HEAD + at * STEP_HEIGHT + STEP_HEIGHT / 2
  const subject = steps.findIndex(({ isSubject }) => isSubject)
  const [first] = steps
  const sent = steps[subject]?.version ?? ''
  const hasOthers = steps.some(({ by }) => by === 'other')
  const hasDates = steps.some(({ time }) => time !== undefined && !isToday(time))
  const left = (hasOthers ? 54 : OTHER + 36) - (hasDates ? TIME.long : TIME.short)
  return (
    <svg
      class="story"
      viewBox={`${left} 0 ${RIGHT - left} ${height}`}
      width={RIGHT - left}
      role="img"
      aria-labelledby="story-title story-text"
    >
      <title id="story-title">Story of the conflict</title>
      <desc id="story-text">{description}</desc>
      <g class="lanes" text-anchor="middle">
        {hasOthers && (
          <>
            <text x={OTHER} y={14}>
              Other writer
            </text>
            <path d={`M${OTHER} ${HEAD}V${height}`} />
          </>
        )}
        <text x={RESOURCE} y={14}>
          Resource
        </text>
        <path d={`M${RESOURCE} ${HEAD}V${height}`} />
        <text x={APP} y={14}>
          Your app
        </text>
        <path d={`M${APP} ${HEAD}V${height}`} />
      </g>
      {first !== undefined && isGot(first, sent) && (
        // While the app kept the version that it sent.
        <path class="stale" stroke-dasharray="3 3" d={`M${APP} ${toY(0)}V${toY(subject)}`} />
      )}
      {steps.map((step, at) => (
        <StepRow key={step.key} step={step} y={toY(at)} left={left} />
      ))}
    </svg>
  )
}

interface StoryProps {
  /** Where the history of the resource is. */
  readonly path: string
  /** The id of the request with the conflict. */
  readonly subject: string
  /** What happened. */
  readonly sentence: string
}

/** The request that a sentence names: `(request 5f1d8b3c-…)`. */
const REQUEST_ID = /(?<=\(request )([^)]+)(?=\))/

/** What each version of the resource changed; loaded when it is opened. */
function Versions({ path }: { readonly path: string }) {
  const { source } = useLive()
  const [isOpen, setOpen] = useState(false)
  if (source.isFile) return null
  return (
    <details
      onToggle={({ currentTarget }: Event) =>
        currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
      }
    >
      <summary>What each version changed</summary>
      {isOpen && <VersionList path={path} />}
    </details>
  )
}

/** How a conflict came about. */
export function Story({ path, subject, sentence }: StoryProps) {
  const { value } = useResource<{ readonly history: readonly HistoryEvent[] }>(path, ['request'])
  const steps = value === undefined ? [] : toStory(value.history, subject)
  return (
    <section class="card" aria-label="Story of the conflict">
      <p class="headline">
        {sentence
          .split(REQUEST_ID)
          .map((text, at) =>
            at % 2 === 0 ? <Sentence text={text} /> : <Link href={toHere({ request: text })}>{text}</Link>,
          )}
      </p>
      {steps.length > 1 && (
        <>
          <Picture steps={steps} description={steps.map((step) => `${toWho(step)}: ${step.label}`).join('. ')} />
          <details>
            <summary>As a table</summary>
            <DataTable
              label="Story of the conflict"
              rows={steps}
              keyOf={({ key }) => key}
              columns={[
                { title: 'Time', cell: ({ time }) => (time === undefined ? undefined : toTimeText(time)) },
                { title: 'Who', track: 'minmax(0, auto)', cell: toWho },
                {
                  title: 'What',
                  track: '1fr',
                  cell: ({ label, request }) =>
                    request === undefined || request === subject ? (
                      label
                    ) : (
                      <Link href={toHere({ request })}>{label}</Link>
                    ),
                },
              ]}
            />
          </details>
          <Versions path={path.replace('/history?', '/versions?')} />
        </>
      )}
    </section>
  )
}
