/** Shows each warning of a server once. */

import type { ServerWarning } from './warnings.ts';

/** More different ones are shown each time: a server that puts the time into its text must not fill the memory. */
const REMEMBERED = 1000;

/** For `onWarning`: `Warning: TEXT`, as kubectl says it, and not a second time. */
export function shownOnce(show: (line: string) => void): (warning: ServerWarning) => void {
  const seen = new Set<string>();
  return ({ text }) => {
    if (seen.has(text)) return;
    if (seen.size < REMEMBERED) seen.add(text);
    // A server's text must not move the cursor of a terminal.
    show(`Warning: ${text.replaceAll(/\p{Cc}/gu, '?')}`);
  };
}
