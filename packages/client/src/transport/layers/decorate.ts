/** Layers of features around a transport. */

import type { Transport, TransportDecorator, TransportRequest, TransportResponse } from '../transport.ts';

/** Puts decorators around a transport; the first is the outermost, and sees a request first. */
export function decorate(transport: Transport, decorators: readonly TransportDecorator[]): Transport {
  return decorators.reduceRight((next, decorator) => decorator(next), transport);
}

/** A transport with its own `send`, and `next` for everything else. `onClose` runs before `next` is closed. */
export function wrap(
  next: Transport,
  send: (request: TransportRequest) => Promise<TransportResponse>,
  onClose?: () => void,
): Transport {
  const close = (): Promise<void> => {
    onClose?.();
    return next.close();
  };
  return {
    // Read each time: a negotiated transport knows its protocol only after the first handshake.
    get name() {
      return next.name;
    },
    send,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Is this a watch? Its rules differ: it is not throttled at first, and may be opened again after a time limit. */
export function isWatchRequest({ method, path }: Pick<TransportRequest, 'method' | 'path'>): boolean {
  if (method !== 'GET') return false;
  const watch = new URLSearchParams(path.split('?', 2)[1] ?? '').get('watch');
  return watch === 'true' || watch === '1';
}
