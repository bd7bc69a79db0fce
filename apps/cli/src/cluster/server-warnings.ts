/** Shows the Warning headers of the server, each text once: it repeats them with every request. */

import { printable } from '@listwatch/api/internal';
import type { ServerWarning } from '@listwatch/client';

/** A server whose warnings differ each time must not fill the memory of a watch that runs for weeks. */
const REMEMBERED = 100;

/** Pass `hear` to the connection, then call `showOn` when there is a screen. */
export class ServerWarnings {
  readonly #told = new Set<string>();
  #show: ((line: string) => void) | undefined;

  readonly hear = ({ text }: Pick<ServerWarning, 'text'>): void => {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    const [oldest] = this.#told;
    if (this.#told.size > REMEMBERED && oldest !== undefined) this.#told.delete(oldest);
    this.#show?.(line(text));
  };

  /** Shows the warnings so far, and every new one from now on. */
  showOn(show: (line: string) => void): void {
    this.#show = show;
    for (const text of this.#told) show(line(text));
  }
}

function line(text: string): string {
  return `Warning: ${printable(text)}`;
}
