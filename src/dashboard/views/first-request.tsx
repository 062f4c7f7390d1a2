import { Icon } from '../parts/icon.tsx'
import type { ViewContext } from '../view-context.ts'

/** What is shown where nothing was asked yet: how to ask. */
export const FirstRequest = ({ context, isHidden }: { readonly context: ViewContext; readonly isHidden: boolean }) => {
  const { parts, place, origin } = context
  return (
    <div class="empty" id="first" hidden={isHidden}>
      <Icon name="requests" />
      <h2>{parts.isJournaling ? 'No requests yet' : 'The journal is off'}</h2>
      <p>
        {parts.isJournaling
          ? 'Point your client at this mock, and its requests appear here. For example:'
          : 'The journal is turned off (--journal 0): requests appear here as they come, without details.'}
      </p>
      <pre class="code" tabindex={0} role="region" aria-label="A first request">
        <code>
          {`curl -H 'Authorization: Bearer any' \\\n  ${origin}${place.session === 'default' ? '' : `/@${place.session}`}/acme/resource`}
        </code>
      </pre>
      <a class="button primary" href={place.to('contract', { operation: 'queryResources' })}>
        Send one from here
      </a>
    </div>
  )
}
