/** Passes a request on and its answer back, a chunk at a time. */

import type { ServerResponse } from 'node:http';
import type { UpstreamAnswer } from './console-upstream.ts';
import { DATA_HEADERS } from './door-answer.ts';

/** Of the browser's headers only these: no cookie, no token, no impersonation. */
const PASSED_ON = ['accept', 'content-type', 'if-none-match'] as const;
/** Of the answer's. A cookie of a proxy before the cluster would be set for the page's origin. */
const PASSED_BACK = ['audit-id', 'content-type', 'etag', 'retry-after', 'warning'] as const;

/** The headers that the API sees. */
export function upstreamHeaders(header: (name: string) => string | undefined): Record<string, string> {
  return pick(PASSED_ON, header);
}

/** Sends an answer. Resolves when all of it is out; rejects when either end breaks. */
export async function passBack(response: ServerResponse, { status, headers, body }: UpstreamAnswer): Promise<void> {
  response.writeHead(status, { ...pick(PASSED_BACK, (name) => headers[name]), ...DATA_HEADERS });
  response.flushHeaders();
  // The next chunk is pulled when this one has left the process: a slow page holds the server back.
  for await (const chunk of body) await written((done) => response.write(chunk, done));
  response.end();
}

/** Calls `write` with a callback; resolves when that says that the bytes have left. */
export function written(write: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    write((error) => (error === undefined || error === null ? resolve() : reject(error)));
  });
}

function pick(names: readonly string[], read: (name: string) => string | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}
