/** Where an entry of an archive may be written. */

import { StreamError } from '../stream-error.ts';

/** On Windows a backslash separates, and a colon begins a drive or a stream of a file. */
const FORBIDDEN: Readonly<Record<'others' | 'windows', RegExp>> = { windows: /[\\:\0]/u, others: /\0/u };

/** The parts of a path below a directory. Throws `UNSAFE_PATH` for a path that leads out of it or is absolute. */
export function safeParts(path: string, platform: 'others' | 'windows'): readonly string[] {
  const parts = path.split('/').filter((part, index) => part !== '.' && (part !== '' || index === 0));
  const isSafe = parts.every((part) => part !== '' && part !== '..' && !FORBIDDEN[platform].test(part));
  if (!isSafe) {
    throw new StreamError('UNSAFE_PATH', `the archive from the pod names ${JSON.stringify(path.slice(0, 200))}`);
  }
  return parts;
}
