/** The watcher on the inspected stream: its state, its transitions and why. */

import type { JSX } from 'preact';
import { ageText, clockText } from '../logic/age-text.ts';
import { now } from '../state/clock.ts';
import type { Inspection } from '../state/inspection.ts';

export function MachinePanel({ inspection }: { readonly inspection: Inspection }): JSX.Element {
  const progress = inspection.progress.value;
  const facts: readonly (readonly [string, string])[] = [
    ['State', progress?.phase ?? 'idle'],
    ['Version', progress?.resourceVersion ?? '–'],
    ['Objects of the last list', String(progress?.items ?? 0)],
    ['Lists', String(inspection.lists.value)],
    ['Watches opened', String(progress?.watches ?? 0)],
    ['Failures in a row', String(progress?.failures ?? 0)],
    [
      'Next attempt',
      progress?.retryAt === undefined ? '–' : `in ${ageText(Math.max(0, progress.retryAt - now.value))}`,
    ],
    ['Last event', agoText(progress?.lastEventAt)],
    ['Last bookmark', agoText(progress?.lastBookmarkAt)],
    ['Last error', progress?.lastError?.message ?? '–'],
  ];
  return (
    <section class="machine scroll" aria-label="Watcher" tabIndex={0}>
      <h2>Watcher</h2>
      <dl class="machine-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-fact={name}>{value}</dd>
          </div>
        ))}
      </dl>
      <h2>Transitions</h2>
      <ol class="transitions">
        {inspection.transitions.value
          .map(({ at, phase, why }, index) => (
            <li key={index}>
              <span class="muted">{clockText(at)}</span> <b class={`phase-${phase}`}>{phase}</b> {why}
            </li>
          ))
          .toReversed()}
      </ol>
    </section>
  );
}

function agoText(at: number | undefined): string {
  return at === undefined ? '–' : `${ageText(now.value - at)} ago`;
}
