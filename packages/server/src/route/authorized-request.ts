/** The request that the verbs see, made of what came off the wire and of who sent it. */

import { isImpersonationHeader } from '../access/impersonation-headers.ts';
import type { ApiRequest, UserInfo } from '../contract/api-request.ts';
import type { Arrival } from '../contract/arrival.ts';
import type { Route } from '../contract/route.ts';
import { readBody } from './body-reader.ts';
import type { RequestLifetime } from './request-lifetime.ts';
import type { RequestTarget } from './request-target.ts';

/** Everything a request is made of. */
export interface WireRequestParts {
  readonly arrival: Arrival;
  readonly target: RequestTarget;
  readonly route: Route;
  readonly user: UserInfo;
  readonly life: RequestLifetime;
  readonly maxBodyBytes: number;
}

/** An authenticated request. */
export class WireRequest implements ApiRequest {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly user: UserInfo;
  readonly protocol: ApiRequest['protocol'];
  readonly #parts: WireRequestParts;
  #body: Promise<Buffer> | undefined;

  constructor(parts: WireRequestParts) {
    this.#parts = parts;
    this.route = parts.route;
    this.method = parts.arrival.method;
    this.path = parts.target.path;
    this.query = parts.target.query;
    this.user = parts.user;
    this.protocol = parts.arrival.protocol;
  }

  get signal(): AbortSignal {
    return this.#parts.life.signal;
  }

  throwIfAborted(): void {
    this.#parts.life.throwIfOver();
  }

  header(name: string): string | undefined {
    // The verbs see the impersonated user and nothing of how it came about.
    return isImpersonationHeader(name) ? undefined : this.#parts.arrival.header(name);
  }

  body(): Promise<Buffer> {
    const { arrival, life, maxBodyBytes: maxBytes } = this.#parts;
    this.#body ??= readBody(arrival.body, {
      maxBytes,
      contentLength: arrival.header('content-length'),
      life,
    });
    return this.#body;
  }
}
