/** The login of this page: what it may do, and how it talks to the server. */

import type { ConsoleSession } from '@listwatch/api/console';
import { type Signal, signal } from '@preact/signals';

/** `ended`: the cookie is no longer valid; the page must be opened by a new link. */
export type SessionState =
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'loading' }
  | { readonly type: 'open'; readonly session: ConsoleSession };

export const sessionState: Signal<SessionState> = signal({ type: 'loading' });

/** Asks once; the page calls it again when a request was refused with 401. */
export async function loadSession(): Promise<SessionState> {
  try {
    const response = await fetch('/console/session', { cache: 'no-store' });
    if (response.status === 401) sessionState.value = { type: 'ended' };
    else if (!response.ok) sessionState.value = { type: 'failed', reason: `the server answered ${response.status}` };
    else {
      const session: ConsoleSession = await response.json();
      sessionState.value = { type: 'open', session };
    }
  } catch {
    // A page that is open already goes on: its watches say that the server is away.
    if (sessionState.value.type !== 'open') {
      sessionState.value = { type: 'failed', reason: 'the server cannot be reached' };
    }
  }
  return sessionState.value;
}

/** A 401 of any request: is it over, or was it one request? */
export function onUnauthorized(): void {
  if (sessionState.value.type === 'open') void loadSession();
}
