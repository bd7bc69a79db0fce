/** The one place that shows in which order a request passes through the features of a client. */

import type { Clock } from '@listwatch/api';
import type { Transport } from '../transport.ts';
import { auth, type Credentials } from './auth.ts';
import { decorate } from './decorate.ts';
import { type Impersonation, impersonate } from './impersonate.ts';
import { logging, type RequestRecord } from './logging.ts';
import { rateLimit } from './rate-limit.ts';
import { retry } from './retry.ts';
import { shownOnce } from './shown-once.ts';
import { type RateLimit, TokenBucket } from './token-bucket.ts';
import { type ServerWarning, warnings } from './warnings.ts';

/** The features of a client. Each is off when it is absent, but for `maxRetries` and `onWarning`. */
export interface FeatureOptions {
  /** Told of every attempt. */
  readonly log?: ((record: RequestRecord) => void) | undefined;
  /** Told of every `Warning` of the server. `false`: nobody is. Default: each is printed once (`console.warn`). */
  readonly onWarning?: ((warning: ServerWarning) => void) | false | undefined;
  /** Requests a second from this client. */
  readonly rateLimit?: RateLimit | undefined;
  /** How often a request is sent again where that is safe. Default: 10. 0: never. */
  readonly maxRetries?: number | undefined;
  readonly impersonate?: Impersonation | undefined;
}

export function assemble(
  transport: Transport,
  {
    clock,
    credentials,
    ...options
  }: FeatureOptions & { readonly clock: Clock; readonly credentials?: Credentials | undefined },
): Transport {
  const bucket = options.rateLimit === undefined ? undefined : new TokenBucket(options.rateLimit, clock);
  return decorate(transport, [
    ...(bucket === undefined ? [] : [rateLimit(bucket)]),
    retry({
      clock,
      maxRetries: options.maxRetries,
      ...(bucket === undefined ? {} : { beforeRetry: (waiting) => bucket.take(waiting) }),
    }),
    ...(options.onWarning === false ? [] : [warnings(options.onWarning ?? shownOnce(print))]),
    ...(options.impersonate === undefined ? [] : [impersonate(options.impersonate)]),
    ...(credentials === undefined ? [] : [auth(credentials)]),
    ...(options.log === undefined ? [] : [logging(options.log, clock)]),
  ]);
}

function print(line: string): void {
  // oxlint-disable-next-line no-console -- the default of a client that nobody told where to put it
  console.warn(line);
}
