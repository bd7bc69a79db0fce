/** Holds requests back on our own side. Off by default: API servers share out their time better than clients can. */

import type { TransportDecorator } from '../transport.ts';
import { isWatchRequest, wrap } from './decorate.ts';
import type { TokenBucket } from './token-bucket.ts';

/** A watch does not wait for its first attempt, as in client-go: a controller would otherwise start late by its own hand. */
export function rateLimit(bucket: TokenBucket): TransportDecorator {
  return (next) =>
    wrap(next, async (request) => {
      if (!isWatchRequest(request)) await bucket.take({ signal: request.signal });
      return next.send(request);
    });
}
