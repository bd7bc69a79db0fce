/** Lets another server answer requests that this one does not judge: a relay passes on what it does not serve. */

import type { IncomingRequest } from './incoming-request.ts';
import type { Reply } from './reply.ts';
import type { Route } from './route.ts';

/** One request that is passed on. */
export interface PassOptions {
  /** Aborted when the client has gone or this server ends. */
  readonly signal: AbortSignal;
  /** The name of the request here; the other server gives it one of its own. */
  readonly auditId: string;
  /** Why it is passed on, for metrics: few different texts. */
  readonly reason: string;
}

/** What is passed on, and how. */
export interface RequestGate {
  /** Decides by the head alone, before authentication: the reason to pass a request on. Undefined: this server answers it. */
  passes(incoming: IncomingRequest, route: Route): string | undefined;
  /**
   * Passes a request on, its body unread, and its answer back, without a limit of time or size. Resolves when the answer has
   * ended. Rejects with a `StatusError` while nothing of the answer was sent.
   */
  pass(incoming: IncomingRequest, reply: Reply, options: PassOptions): Promise<void>;
}

/**
 * Thrown by whoever answers a request, after access was decided and while its body is unread: another server answers it after all.
 * Without a gate it is a failure of the server.
 */
export class PassRequest extends Error {
  override readonly name: string = 'PassRequest';
  /** See `PassOptions`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`the request is passed on: ${reason}`);
    this.reason = reason;
  }
}
