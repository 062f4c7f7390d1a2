/** How the site ranks its search results: pages for those who work on the project or look up its history come last. */
export const searchOptions = {
  fuzzy: 0.2,
  prefix: true,
  boost: { title: 4, text: 2, titles: 1 },
  // VitePress sends the source of this function to the browser, so it uses nothing from outside.
  boostDocument: (id: string): number => {
    if (/^\/(?:contributing|changelog|benchmarks)\b/.test(id)) return 0.05
    return /^\/(?:decisions|specification)\b/.test(id) ? 0.5 : 1
  },
} as const
