import { Act } from '../parts/act.tsx'
import { Time } from '../parts/status.tsx'
import type { ViewContext } from '../view-context.ts'

/** Steps that matter to a client: a `Retry-After`, a cache, and the life of a token. */
const STEPS = [
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['2d', '2 days'],
] as const

/** The clock of the session, and buttons that move it. */
export const Clock = ({ context: { place, session } }: { readonly context: ViewContext }) => (
  <section class="card stack-wide" aria-label="Clock">
    <h2>Clock of {place.session}</h2>
    <p class="quiet" id="clock" data-live>
      <Time at={session.clock.now()} isLong /> – tokens expire, times of resources and <code>Retry-After</code> follow
      it.
    </p>
    <div class="row-of">
      {STEPS.map(([advance, title]) => (
        <Act place={place} calls={[`PUT /clock ${JSON.stringify({ advance })}`]} done={`The clock is ${title} later.`}>
          <button class="button">+ {title}</button>
        </Act>
      ))}
      <Act place={place} calls={['DELETE /clock']} done="The clock is that of the mock again.">
        <button class="button">Reset clock</button>
      </Act>
    </div>
  </section>
)
