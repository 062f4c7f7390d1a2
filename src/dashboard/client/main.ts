const goLive = (): void => void import('./live.ts')

document.documentElement.classList.add('js')
// The page can be read before it is live, so it is painted first; a tab that is not shown paints nothing.
if (document.hidden) goLive()
else requestAnimationFrame(() => setTimeout(goLive))
