/** What the server wants people to know, each thing once: it says it again with every watch that is opened. */

import type { ServerWarning } from '@listwatch/client';
import { printable } from '../printable.ts';

/** Give `hear` to the connection, and say where to show them once there is a place. */
export class ServerWarnings {
  readonly #told = new Set<string>();
  #show: ((line: string) => void) | undefined;

  readonly hear = ({ text }: Pick<ServerWarning, 'text'>): void => {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#show?.(line(text));
  };

  /** Shows what has been heard already, and from now on the rest. */
  showOn(show: (line: string) => void): void {
    this.#show = show;
    for (const text of this.#told) show(line(text));
  }
}

function line(text: string): string {
  return `Warning: ${printable(text)}`;
}
