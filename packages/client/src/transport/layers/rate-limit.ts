/** Limits the rate of requests on the client's side. Off by default: API servers limit clients more fairly themselves. */

import type { Transport, TransportDecorator } from '../transport.ts';
import { CloseableWaits } from './closeable-waits.ts';
import { isWatchRequest, wrap } from './decorate.ts';
import type { TokenBucket } from './token-bucket.ts';

/** The first attempt of a watch does not wait, as in client-go: controllers would start late. */
export function rateLimit(bucket: TokenBucket): TransportDecorator {
  return (next) => {
    const waits = new CloseableWaits();
    const send: Transport['send'] = async (request) => {
      if (!isWatchRequest(request)) await waits.wait(request.signal, (signal) => bucket.take({ signal }));
      return next.send(request);
    };
    return wrap(next, send, () => waits.close());
  };
}
