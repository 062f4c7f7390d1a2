import { Icon } from '../parts/icon.tsx'
import type { Show } from '../show.ts'

/** What is shown where nothing was asked yet: how to ask. */
export const FirstRequest = ({ show, isHidden }: { readonly show: Show; readonly isHidden: boolean }) => {
  const { parts, place, origin } = show
  return (
    <div class="empty" id="first" hidden={isHidden}>
      <Icon name="requests" />
      <h2>{parts.isJournaling ? 'No request yet' : 'Nothing is kept'}</h2>
      <p>
        {parts.isJournaling
          ? 'Point your client here, and each of its requests appears in this list. To try one:'
          : 'The mock has no journal (--journal 0): requests appear here as they come, and cannot be looked into.'}
      </p>
      <pre class="code" tabindex={0} role="region" aria-label="A first request">
        <code>
          {`curl -H 'Authorization: Bearer any' \\\n  ${origin}${place.session === 'default' ? '' : `/@${place.session}`}/acme/resource`}
        </code>
      </pre>
      <a class="button primary" href={place.to('contract', { operation: 'queryResources' })}>
        Or send one from here
      </a>
    </div>
  )
}
