/** Decides when a silent watch is given up: a state machine without a clock of its own. */

/** What the client expects of the server. */
export interface LivenessConfig {
  /** The `timeoutSeconds` of the watch; 0: none. */
  readonly timeoutMs: number;
  /** How long after that the watch is given up. */
  readonly marginMs: number;
  /** How long a server that sends bookmarks may send no event; 0: for ever. */
  readonly heartbeatMs: number;
}

/**
 * Time counts only while the reader waits: a slow reader finds the events of the past minutes in the socket, and must not take
 * its own slowness for the server's silence.
 */
export type LivenessState =
  /** The reader is busy. */
  | { readonly type: 'resting'; readonly deadline: number; readonly beats: boolean }
  /** The reader waits for an event; at `due` the watch is given up. `Infinity`: never. */
  | {
      readonly type: 'reading';
      readonly deadline: number;
      readonly beats: boolean;
      readonly due: number;
      readonly reason: SilenceReason;
    }
  /** Given up. */
  | { readonly type: 'silent'; readonly reason: SilenceReason };

/** What did not come: the end after `timeoutSeconds`, or a bookmark. */
export type SilenceReason = 'deadline' | 'heartbeat';

export type LivenessInput =
  /** The reader begins to wait. */
  | { readonly type: 'read'; readonly now: number }
  /** Whole events came. Bytes do not count: a frame without an end would keep a dead watch alive. */
  | { readonly type: 'events' }
  /** A bookmark was among them: this server sends them, and will go on. */
  | { readonly type: 'bookmark' }
  | { readonly type: 'time'; readonly now: number };

/** The state of a watch that the server accepted at `now`. */
export function openedAt(now: number, { timeoutMs, marginMs }: LivenessConfig): LivenessState {
  return { type: 'resting', deadline: timeoutMs === 0 ? Infinity : now + timeoutMs + marginMs, beats: false };
}

/** The state after an input. An input that a state does not expect changes nothing. */
export function livenessStep(config: LivenessConfig, state: LivenessState, input: LivenessInput): LivenessState {
  if (state.type === 'silent') return state;
  const { deadline, beats } = state;
  switch (input.type) {
    case 'read': {
      if (state.type === 'reading') return state;
      // After the deadline the end may still be unread in the socket: allow the margin once more.
      const byDeadline = Math.max(deadline, input.now + config.marginMs);
      const byHeartbeat = beats && config.heartbeatMs > 0 ? input.now + config.heartbeatMs : Infinity;
      const isHeartbeat = byHeartbeat < byDeadline;
      return {
        type: 'reading',
        deadline,
        beats,
        due: isHeartbeat ? byHeartbeat : byDeadline,
        reason: isHeartbeat ? 'heartbeat' : 'deadline',
      };
    }
    case 'events':
      return state.type === 'reading' ? { type: 'resting', deadline, beats } : state;
    case 'bookmark':
      return beats ? state : { ...state, beats: true };
    case 'time':
      return state.type === 'reading' && input.now >= state.due ? { type: 'silent', reason: state.reason } : state;
  }
}
