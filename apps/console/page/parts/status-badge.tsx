/** How an informer is doing: a dot, a word, and the reason. */

import type { InformerStatus } from '@listwatch/runtime';
import type { JSX } from 'preact';
import { ageText } from '../logic/age-text.ts';
import { now } from '../state/clock.ts';

const WORDS: Readonly<Record<InformerStatus['phase'], string>> = {
  live: 'live',
  syncing: 'loading',
  degraded: 'reconnecting',
  stopped: 'stopped',
};

export function StatusBadge({ status }: { readonly status: InformerStatus }): JSX.Element {
  const { phase, reason, since } = status;
  return (
    <span class={`status status-${phase}`} role="status" data-phase={phase} title={reason}>
      <span class="dot" aria-hidden="true" />
      {WORDS[phase]}
      {phase === 'degraded' && ` for ${ageText(now.value - since)}`}
    </span>
  );
}

/** A line across the view while the server is away or refuses. */
export function StatusBanner({ status }: { readonly status: InformerStatus }): JSX.Element | null {
  if (status.phase !== 'degraded') return null;
  return (
    <p class="banner" role="alert">
      The server cannot be read; what is shown may be out of date. Trying again.{' '}
      <span class="reason">{reasonText(status)}</span>
    </p>
  );
}

function reasonText({ reason, error }: InformerStatus): string {
  return reason ?? error?.message ?? '';
}
