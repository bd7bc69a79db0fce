/** The request that the verbs see. */

import type { FlowTicket } from '../access/flow/flow-ticket.ts';
import { isImpersonationHeader } from '../access/impersonation-headers.ts';
import type { ApiRequest, RequestSource, UserInfo } from '../contract/api-request.ts';
import type { AuditNotes } from '../contract/audit.ts';
import type { IncomingRequest } from '../contract/incoming-request.ts';
import type { Route } from '../contract/route.ts';
import type { WorkFlow } from '../contract/work-flow.ts';
import { readBodyBytes } from './body-reader.ts';
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
  /** Undefined: flow control does not limit it. */
  readonly ticket?: FlowTicket | undefined;
  readonly auditId: string;
  readonly audit?: AuditNotes | undefined;
}

/** A request whose user is known and allowed to make it. */
export class AuthorizedRequest implements ApiRequest {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly user: UserInfo;
  readonly protocol: ApiRequest['protocol'];
  readonly audit: AuditNotes | undefined;
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
    this.audit = parts.audit;
  }

  get signal(): AbortSignal {
    return this.#parts.life.signal;
  }

  get deadline(): number | undefined {
    return this.#parts.life.endsAt;
  }

  throwIfAborted(): void {
    this.#parts.life.throwIfOver();
  }

  header(name: string): string | undefined {
    // The verbs see the user and nothing of how it was authenticated or impersonated.
    const isHidden = name === 'authorization' || name.startsWith('x-remote-') || isImpersonationHeader(name);
    return isHidden ? undefined : this.#parts.incoming.header(name);
  }

  get rawHeaders(): readonly string[] {
    return this.#parts.incoming.rawHeaders;
  }

  get upgrade(): string | undefined {
    const { incoming } = this.#parts;
    return incoming.canUpgrade === true ? incoming.header('upgrade') : undefined;
  }

  turn(): Promise<void> | undefined {
    return this.#parts.ticket?.turn();
  }

  get flow(): WorkFlow | undefined {
    return this.#parts.ticket?.work;
  }

  writes(key: string, watchers: number): void {
    this.#parts.ticket?.writes(key, watchers);
  }

  get source(): RequestSource {
    const { auditId, incoming, life } = this.#parts;
    return {
      auditId,
      peer: incoming.peer?.(),
      stream: incoming.body,
      leavePlace: () => {
        life.leaveSeat();
        life.leavePlace();
      },
    };
  }

  liftLimits(): void {
    this.#parts.life.liftLimits();
  }

  body(): Promise<Buffer> {
    const { incoming, life, maxBodyBytes: maxBytes } = this.#parts;
    this.#body ??= this.#noted(
      readBodyBytes(incoming.body, {
        maxBytes,
        contentLength: incoming.header('content-length'),
        life,
      }),
    );
    return this.#body;
  }

  /** A patch is recorded as it was sent; of other bodies the verbs tell what they have read. */
  #noted(reading: Promise<Buffer>): Promise<Buffer> {
    const { audit } = this;
    if (audit?.takesRequest !== true || this.route.verb !== 'patch') return reading;
    return reading.then((bytes) => {
      audit.patch(bytes);
      return bytes;
    });
  }
}
