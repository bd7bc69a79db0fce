/** How an informer is doing: a dot, a word, and the reason. */

import { isStatusError } from '@listwatch/api';
import type { InformerStatus } from '@listwatch/runtime';
import type { JSX } from 'preact';
import { ageText } from '../logic/age-text.ts';
import { errorText } from '../logic/error-text.ts';
import { now } from '../state/clock.ts';

const WORDS: Readonly<Record<InformerStatus['phase'], string>> = {
  live: 'live',
  syncing: 'loading',
  degraded: 'reconnecting',
  stopped: 'stopped',
};

export function StatusBadge({ status }: { readonly status: InformerStatus }): JSX.Element {
  const { phase, reason, since } = status;
  const isRefused = refusalText(status) !== undefined;
  return (
    <span class={`status status-${phase}`} role="status" data-phase={phase} title={reason}>
      <span class="dot" aria-hidden="true" />
      {isRefused ? 'refused' : WORDS[phase]}
      {phase === 'degraded' && !isRefused && ` for ${ageText(Math.max(0, now.value - since))}`}
    </span>
  );
}

/** A line across the view while the server is away or refuses. */
export function StatusBanner({ status }: { readonly status: InformerStatus }): JSX.Element | null {
  if (status.phase !== 'degraded') return null;
  const refused = refusalText(status);
  if (refused !== undefined) {
    return (
      <p class="banner" role="alert">
        The server refuses this: {refused}
      </p>
    );
  }
  return (
    <p class="banner" role="alert">
      The server cannot be read; what is shown may be out of date. Trying again.{' '}
      <span class="reason">{reasonText(status)}</span>
    </p>
  );
}

/** What the server says to a request that asking again does not help: a selector it does not know, no permission, no such kind. */
export function refusalText({ phase, error }: InformerStatus): string | undefined {
  const cause = error?.cause;
  if (phase !== 'degraded' || !isStatusError(cause)) return undefined;
  return [400, 403, 404, 405, 422].includes(cause.status.code ?? 0) ? errorText(cause) : undefined;
}

function reasonText({ reason, error }: InformerStatus): string {
  return reason ?? error?.message ?? '';
}
