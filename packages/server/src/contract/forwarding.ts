/** Requests that another server answers: a kubelet, a Pod, a Service. */

import type { ApiResponse } from './api-response.ts';

/** A request to another server. */
export interface ForwardedRequest {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Over TLS? */
  readonly secure: boolean;
  /** Present our client certificate and verify that of the kubelet. Other targets get neither. */
  readonly isKubelet: boolean;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names and values in turn, as they are sent. */
  readonly headers: readonly string[];
  readonly body?: Buffer | undefined;
  /** Ends the exchange. */
  readonly signal: AbortSignal;
  /** Called right before the request is sent: from then on it has no deadline. */
  readonly onAsked: () => void;
}

/** The answer of another server. */
export interface ForwardedAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The response for the client: a live stream, or a tunnel after a 101. */
  readonly response: ApiResponse;
}

/** The connection to `address` failed. */
export class ForwardError extends Error {
  override readonly name = 'ForwardError';
  readonly why: 'not allowed' | 'unreachable';

  constructor(why: ForwardError['why'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

/** Sends requests to other servers. */
export interface Forwarder {
  /**
   * Sends a request. Rejects with a `ForwardError` when the address cannot be reached or is not allowed, with the 429
   * `StatusError` when too many requests are open, and with the signal's reason.
   */
  send(request: ForwardedRequest): Promise<ForwardedAnswer>;
}
