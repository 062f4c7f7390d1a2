const goLive = (): void => void import('./live.ts')

document.documentElement.classList.add('js')
// The page is painted before it becomes live; a hidden tab is never painted.
if (document.hidden) goLive()
else requestAnimationFrame(() => setTimeout(goLive))
