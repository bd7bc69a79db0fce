/** Puts credentials on requests. */

import type { AbortOptions } from '@listwatch/api';
import { drainBody } from '../exchange/drain.ts';
import type { TransportDecorator } from '../transport.ts';
import { wrap } from './decorate.ts';

/** Who we are. Tokens expire, so each request asks anew. */
export interface Credentials {
  /** `authorization`, or nothing where a certificate says who we are. */
  headers(options?: AbortOptions): Promise<Readonly<Record<string, string>>>;
  /**
   * The server did not know us by `refused`. Resolves to true when there is something else to try: newly fetched, or
   * already fetched by another request that was refused.
   */
  renew(refused: Readonly<Record<string, string>>, options?: AbortOptions): Promise<boolean>;
}

const UNAUTHORIZED = 401;

/** A 401 renews the credentials once and repeats the request, a write too: the server has done nothing with it. */
export function auth(credentials: Credentials): TransportDecorator {
  return (next) =>
    wrap(next, async (request) => {
      const { signal } = request;
      const given = await credentials.headers({ signal });
      const response = await next.send({ ...request, headers: { ...request.headers, ...given } });
      if (response.status !== UNAUTHORIZED || !(await credentials.renew(given, { signal }))) return response;
      await drainBody(response);
      const renewed = await credentials.headers({ signal });
      return next.send({ ...request, headers: { ...request.headers, ...renewed } });
    });
}
