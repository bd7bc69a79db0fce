/** Requests that another server answers: a kubelet, a Pod, a Service. */

import type { ApiResponse } from './api-response.ts';

/** A stream of a command: what it reads and writes, the size of its terminal, and the report of its end. */
export type CommandStream = 'error' | 'resize' | 'stderr' | 'stdin' | 'stdout';

/** What is asked of a kubelet that may not know the WebSockets of the client. */
export type KubeletStreams =
  | { readonly type: 'command'; readonly streams: readonly Exclude<CommandStream, 'error'>[] }
  | { readonly type: 'ports' };

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
  /** Streams that can be had in SPDY, too. Absent: the request is sent as it is. */
  readonly streams?: KubeletStreams | undefined;
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
