/** A stream of JSON lines of the server, opened again when it ends. */

import type { Cluster } from '@listwatch/client';
import { errorText } from '../logic/error-text.ts';

const RETRY_MS = [500, 1000, 2000, 4000];

export type StreamState = 'closed' | 'open';

/** Follows a stream until the signal. `onState` says whether it is open now. */
export async function followLines(
  cluster: Cluster,
  path: string,
  stop: AbortSignal,
  onLine: (line: string) => void,
  onState: (state: StreamState, reason: string) => void = () => {},
): Promise<void> {
  for (let failures = 0; !stop.aborted; failures += 1) {
    let reason = 'the server ended the stream';
    try {
      const { status, body } = await cluster.transport.send({
        method: 'GET',
        path,
        headers: { accept: 'application/json' },
        signal: stop,
      });
      if (status === 200) {
        for await (const line of linesOf(body)) {
          failures = 0;
          onLine(line);
          onState('open', '');
        }
      } else {
        reason = `the server answered ${status}`;
        // Not served or not allowed: asking again would change nothing.
        if (status === 404 || status === 403) return onState('closed', reason);
      }
    } catch (error) {
      reason = errorText(error);
    }
    if (stop.aborted) return;
    onState('closed', reason);
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0, stop);
  }
}

/** The whole lines of a body. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

export function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    stop.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resolve();
    }
  });
}
