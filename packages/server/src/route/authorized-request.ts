/** The request that the verbs see. */

import { isImpersonationHeader } from '../access/impersonation-headers.ts';
import type { ApiRequest, UserInfo } from '../contract/api-request.ts';
import type { IncomingRequest } from '../contract/incoming-request.ts';
import type { Route } from '../contract/route.ts';
import { readBody } from './body-reader.ts';
import type { RequestLifetime } from './request-lifetime.ts';
import type { RequestTarget } from './request-target.ts';

/** What a request is made of. */
export interface AuthorizedRequestParts {
  readonly incoming: IncomingRequest;
  readonly target: RequestTarget;
  readonly route: Route;
  readonly user: UserInfo;
  readonly life: RequestLifetime;
  readonly maxBodyBytes: number;
}

/** A request whose user is known and allowed to make it. */
export class AuthorizedRequest implements ApiRequest {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly user: UserInfo;
  readonly protocol: ApiRequest['protocol'];
  readonly #parts: AuthorizedRequestParts;
  #body: Promise<Buffer> | undefined;

  constructor(parts: AuthorizedRequestParts) {
    this.#parts = parts;
    this.route = parts.route;
    this.method = parts.incoming.method;
    this.path = parts.target.path;
    this.query = parts.target.query;
    this.user = parts.user;
    this.protocol = parts.incoming.protocol;
  }

  get signal(): AbortSignal {
    return this.#parts.life.signal;
  }

  throwIfAborted(): void {
    this.#parts.life.throwIfOver();
  }

  header(name: string): string | undefined {
    // The verbs see the impersonated user and nothing of how it came about.
    return isImpersonationHeader(name) ? undefined : this.#parts.incoming.header(name);
  }

  body(): Promise<Buffer> {
    const { incoming, life, maxBodyBytes: maxBytes } = this.#parts;
    this.#body ??= readBody(incoming.body, {
      maxBytes,
      contentLength: incoming.header('content-length'),
      life,
    });
    return this.#body;
  }
}
