/** What the page says of whether it hears the mock. */
export const STATES: Readonly<Record<string, string>> = {
  live: 'Live',
  lost: 'Reconnecting…',
  refused: 'Not live',
  paused: 'Paused',
}
