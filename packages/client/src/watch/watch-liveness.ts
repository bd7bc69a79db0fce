/** Is the server still there? What a watch may expect of it, as a machine without a clock of its own. */

/** What may be expected. */
export interface LivenessConfig {
  /** How long the server keeps the watch open by agreement; 0: nobody knows. */
  readonly timeoutMs: number;
  /** How long after that it is given up. */
  readonly marginMs: number;
  /** How long a server that sends bookmarks may be silent; 0: for ever. */
  readonly heartbeatMs: number;
}

/**
 * Time counts only while somebody reads: a reader that takes its time finds the events of the past minutes waiting, and must
 * not take them for silence.
 */
export type LivenessState =
  /** Nobody reads. */
  | { readonly type: 'resting'; readonly deadline: number; readonly beats: boolean }
  /** Somebody waits for bytes; at `due` the server is given up. `Infinity`: never. */
  | {
      readonly type: 'reading';
      readonly deadline: number;
      readonly beats: boolean;
      readonly due: number;
      readonly reason: SilenceReason;
    }
  /** Given up. */
  | { readonly type: 'silent'; readonly reason: SilenceReason };

/** What was waited for in vain: the end that was agreed on, or a bookmark. */
export type SilenceReason = 'deadline' | 'heartbeat';

export type LivenessInput =
  /** Somebody begins to wait for bytes. */
  | { readonly type: 'read'; readonly now: number }
  /** Bytes came. */
  | { readonly type: 'bytes' }
  /** A bookmark was among them: this server sends them, and will go on. */
  | { readonly type: 'bookmark' }
  | { readonly type: 'time'; readonly now: number };

/** The state of a watch that the server accepted at `now`. */
export function openedAt(now: number, { timeoutMs, marginMs }: LivenessConfig): LivenessState {
  return { type: 'resting', deadline: timeoutMs === 0 ? Infinity : now + timeoutMs + marginMs, beats: false };
}

/** Where an input takes the machine. What makes no sense in a state changes nothing. */
export function step(config: LivenessConfig, state: LivenessState, input: LivenessInput): LivenessState {
  if (state.type === 'silent') return state;
  const { deadline, beats } = state;
  switch (input.type) {
    case 'read': {
      if (state.type === 'reading') return state;
      // Behind the deadline the end may still lie unread in the socket: it gets the margin once more.
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
    case 'bytes':
      return state.type === 'reading' ? { type: 'resting', deadline, beats } : state;
    case 'bookmark':
      return beats ? state : { ...state, beats: true };
    case 'time':
      return state.type === 'reading' && input.now >= state.due ? { type: 'silent', reason: state.reason } : state;
  }
}
