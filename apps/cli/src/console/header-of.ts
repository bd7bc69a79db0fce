import type { IncomingMessage } from 'node:http';

/** A header as one text, as if it had been sent once. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}
