/** Shows the Warning headers of the server, each text once: it repeats them with every request. */

import type { ServerWarning } from '@listwatch/client';
import { printable } from '../printable.ts';

/** Pass `hear` to the connection, then call `showOn` when there is a screen. */
export class ServerWarnings {
  readonly #told = new Set<string>();
  #show: ((line: string) => void) | undefined;

  readonly hear = ({ text }: Pick<ServerWarning, 'text'>): void => {
    if (this.#told.has(text)) return;
    this.#told.add(text);
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
