/** The life of a connection, as data. */

/** Where a connection stands. */
export type ConnectionPhase =
  | { readonly type: 'connecting' }
  | { readonly type: 'ready' }
  /** No new calls. `error`: why, when the server wants it so. */
  | { readonly type: 'draining'; readonly error: Error | undefined }
  | { readonly type: 'closed'; readonly error: Error };

/** What happens to it. */
export type ConnectionInput =
  /** The server's settings have come: it speaks HTTP/2. */
  | { readonly type: 'settled' }
  /** The server sent GOAWAY. */
  | { readonly type: 'goaway'; readonly code: number }
  /** The owner needs it no longer. */
  | { readonly type: 'drain' }
  | { readonly type: 'lost'; readonly error: Error };

/** What `input` makes of the connection. Pure. */
export function stepConnection(phase: ConnectionPhase, input: ConnectionInput): ConnectionPhase {
  if (phase.type === 'closed') return phase;
  switch (input.type) {
    case 'settled':
      return phase.type === 'connecting' ? { type: 'ready' } : phase;
    case 'goaway':
      return { type: 'draining', error: new Error(`the server sent GOAWAY with code ${input.code}`) };
    case 'drain':
      return phase.type === 'draining' ? phase : { type: 'draining', error: undefined };
    case 'lost':
      return { type: 'closed', error: phase.type === 'draining' ? (phase.error ?? input.error) : input.error };
  }
}
