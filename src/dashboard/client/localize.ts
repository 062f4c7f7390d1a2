const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
})
const calendar = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A time of day in the reader's time zone. */
export const toClockText = (at: number): string => clock.format(at)

/** Converts every time of a page to the reader's time zone. */
export function localize(page: Document | Element): void {
  for (const time of page.querySelectorAll('time')) {
    const at = Date.parse(time.dateTime)
    if (Number.isNaN(at)) continue
    time.textContent = time.dataset['long'] === undefined ? clock.format(at) : calendar.format(at)
  }
}
