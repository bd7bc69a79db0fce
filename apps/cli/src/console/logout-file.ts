/** The logouts of a server's console, on disk: the secret that signs logins outlives a restart, so they must, too. */

import { readIfExists, writePrivateFile } from '../serve/private-file.ts';

/** Logins that have been ended, by their id, and when they would have ended by themselves, in milliseconds since 1970. */
export type Logouts = ReadonlyMap<string, number>;

/** Keeps logouts. */
export interface LogoutStore {
  load(): Logouts;
  save(logouts: Logouts): void;
}

const LINE = /^(?<id>[\w-]{22}) (?<until>\d{1,15})$/u;

/** A file of lines, replaced as a whole. `onError` hears of one that cannot be written; the logout is then lost by a restart. */
export function logoutFile(path: string, onError: (error: unknown) => void): LogoutStore {
  return {
    load() {
      const found = new Map<string, number>();
      for (const line of (readIfExists(path) ?? '').split('\n')) {
        const { id, until } = LINE.exec(line)?.groups ?? {};
        if (id !== undefined) found.set(id, Number(until));
      }
      return found;
    },
    save(logouts) {
      try {
        writePrivateFile(path, Array.from(logouts, ([id, until]) => `${id} ${until}\n`).join(''));
      } catch (cause) {
        const help = 'after a restart the login is valid again; to end all logins delete console.key beside it';
        onError(new Error(`a logout cannot be written to ${path}: ${help}`, { cause }));
      }
    },
  };
}
