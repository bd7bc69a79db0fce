/** Leader election as a state machine. Time comes in as events, so that no clock is ever compared with another. */

/**
 * - `waiting`: somebody else holds the lease, or nobody is known to. `expired`: nobody has renewed it for its whole duration, as
 *   far as this candidate could see.
 * - `leading`: this candidate holds it.
 * - `lost`: it was held, and could not be renewed in time or was taken.
 * - `stopped`: this candidate has left.
 */
export type ElectionState =
  | { readonly type: 'leading' }
  | { readonly type: 'lost'; readonly reason: string }
  | { readonly type: 'stopped' }
  | { readonly type: 'waiting'; readonly holder: string; readonly expired: boolean };

export type ElectionInput =
  /** A lease of somebody else was read, and it has changed since the last look. */
  | { readonly type: 'observed'; readonly holder: string }
  /** No change was seen for the duration that the lease names. */
  | { readonly type: 'expired' }
  /** The server has taken this candidate's write: acquired or renewed. */
  | { readonly type: 'written' }
  /** No renewal was taken for as long as the renew deadline. */
  | { readonly type: 'deadline' }
  | { readonly type: 'stop' };

/** The next state. Total: an input that means nothing in a state leaves it as it is. */
export function electionStep(state: ElectionState, input: ElectionInput): ElectionState {
  if (state.type === 'stopped' || state.type === 'lost') return input.type === 'stop' ? { type: 'stopped' } : state;
  switch (input.type) {
    case 'stop':
      return { type: 'stopped' };
    case 'written':
      return { type: 'leading' };
    case 'observed':
      if (state.type === 'leading') return { type: 'lost', reason: `${input.holder || 'somebody'} took the lease` };
      return { type: 'waiting', holder: input.holder, expired: input.holder === '' };
    case 'expired':
      return state.type === 'waiting' ? { ...state, expired: true } : state;
    case 'deadline':
      return state.type === 'leading' ? { type: 'lost', reason: 'the lease could not be renewed in time' } : state;
  }
}

/** May this candidate try to write the lease? */
export function mayAcquire(state: ElectionState): boolean {
  return state.type === 'leading' || (state.type === 'waiting' && state.expired);
}
