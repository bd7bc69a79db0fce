/** The state machine of a shutdown. */

/**
 * `serving`; `leaving`: still serves, but `/readyz` fails so that load balancers look elsewhere; `draining`: new requests
 * are refused, watches are ended, the rest is finished; `closed`: no connection is left.
 */
export type ShutdownState = 'closed' | 'draining' | 'leaving' | 'serving';

/** What moves it. `close` a second time means: at once. */
export type ShutdownInput = 'close' | 'delayOver' | 'drained';

/** The state after an input. */
export function nextShutdownState(state: ShutdownState, input: ShutdownInput): ShutdownState {
  switch (input) {
    case 'close':
      return state === 'serving' ? 'leaving' : 'closed';
    case 'delayOver':
      return state === 'leaving' ? 'draining' : state;
    case 'drained':
      return state === 'draining' ? 'closed' : state;
  }
}
