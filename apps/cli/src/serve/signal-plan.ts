/** What a signal does to a server, by what the server is doing. */

import { constants } from 'node:os';
import type { EndSignal } from '../host.ts';

/** Where a server is in its life. */
export type ServePhase = 'starting' | 'serving' | 'draining';

/** What to do: end gracefully, or at once with this exit code. */
export type SignalAction = { readonly type: 'drain' } | { readonly type: 'exit'; readonly code: number };

/** A server that serves drains; one that has nothing to drain yet, or has been asked before, ends at once. */
export function onSignal(phase: ServePhase, signal: EndSignal): SignalAction {
  return phase === 'serving' ? { type: 'drain' } : { type: 'exit', code: 128 + constants.signals[signal] };
}
