/** Webhooks in the same process as the server: tests call them without sockets and certificates. */

/** The answer of a webhook. */
export interface InProcessAnswer {
  readonly status: number;
  readonly contentType: string;
  /** `''`: the header is absent. */
  readonly retryAfter: string;
  readonly body: Uint8Array;
}

/** Answers a call. Undefined: there is no such webhook here, and the call goes to its address. */
export type InProcessWebhooks = (
  url: URL,
  review: Uint8Array,
  signal: AbortSignal,
) => Promise<InProcessAnswer> | undefined;
