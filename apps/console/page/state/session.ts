/** The login of this page: what it may do, and how it talks to the server. */

import type { ConsoleSession } from '@listwatch/api/console';
import { type Signal, signal } from '@preact/signals';
import { chooseKey, forgetKeys, keyHeaders, loginKeys } from './login-keys.ts';

/** `ended`: the login is no longer valid; the page must be opened by a new link. */
export type SessionState =
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'loading' }
  | { readonly type: 'open'; readonly session: ConsoleSession };

export const sessionState: Signal<SessionState> = signal({ type: 'loading' });

let loading: Promise<void> = Promise.resolve();
let queued: Promise<void> | undefined;

/** Asks for the session. The page calls it again when a request was refused with 401, or another tab has logged in or out. */
export function loadSession(): Promise<void> {
  // One after the other, because an old answer must not undo a new one; and one for all that wait.
  queued ??= loading.then(() => {
    queued = undefined;
    return load();
  });
  loading = queued;
  return loading;
}

async function load(): Promise<void> {
  try {
    const response = await askSession();
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
}

/** Asks with each key until one is right. */
async function askSession(): Promise<Response> {
  const [first, ...others] = loginKeys();
  let response = await askWith(first);
  for (const key of others) if (response.status === 401) response = await askWith(key);
  return response;
}

async function askWith(key: string | undefined): Promise<Response> {
  const response = await fetch('/console/session', { headers: keyHeaders(key), cache: 'no-store', redirect: 'error' });
  if (response.ok) chooseKey(key);
  return response;
}

/** Ends the login of this browser, in all its tabs. */
export async function logOut(): Promise<void> {
  // A door that is away forgets the login by itself; this browser forgets it now.
  await fetch('/console/logout', { method: 'POST', headers: keyHeaders(), redirect: 'error' }).catch(() => {});
  forgetKeys();
  sessionState.value = { type: 'ended' };
}

/** A 401 of any request: is it over, or was it one request? */
export function onUnauthorized(): void {
  if (sessionState.value.type === 'open') void loadSession();
}
