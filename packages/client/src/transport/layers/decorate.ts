/** Features around a transport. */

import type { Transport, TransportDecorator, TransportRequest, TransportResponse } from '../transport.ts';

/** Puts decorators around a transport; the first is the outermost, and sees a request first. */
export function decorate(transport: Transport, decorators: readonly TransportDecorator[]): Transport {
  return decorators.reduceRight((next, decorator) => decorator(next), transport);
}

/** A transport that sends in its own way and is `next` in everything else. */
export function wrap(next: Transport, send: (request: TransportRequest) => Promise<TransportResponse>): Transport {
  return {
    name: next.name,
    send,
    close: () => next.close(),
    [Symbol.asyncDispose]: () => next.close(),
  };
}

/** Is this a watch? Its rules differ: it is not throttled at first, and may be opened again after a time limit. */
export function isWatchRequest({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean {
  if (method !== 'GET') return false;
  const watch = new URLSearchParams(path.split('?', 2)[1] ?? '').get('watch');
  return watch === 'true' || watch === '1';
}
