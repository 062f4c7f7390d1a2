import { raw } from 'hono/html'
import { shellStyle } from '../built-client.ts'

/** The style that every page begins with, in the page itself: what is painted first waits for nothing else. */
export const ShellStyle = () => <style>{raw(shellStyle)}</style>
