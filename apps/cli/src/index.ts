/** The `listwatch` command as a function. Start at `main`. */

export type { EndSignal, Host, Output } from './host.ts';
export { main, run } from './main.ts';
