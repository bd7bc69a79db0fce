/** The slider over the history: the version that a view shows. */

import type { JSX } from 'preact';
import { ageText, timeText } from '../logic/age-text.ts';
import { timeOf } from '../logic/time-line.ts';
import { now } from '../state/clock.ts';
import { hasServerHistory, historyLine, newestLine } from '../state/history-line.ts';
import { useKeys } from './keys.ts';

export interface TimeBarProps {
  /** `''`: now. */
  readonly at: string;
  /** Versions at which something changed here, ascending; empty when they are not known: then every version is a step. */
  readonly stops?: readonly number[] | undefined;
  readonly onChange: (at: string) => void;
}

export function TimeBar({ at, stops = [], onChange }: TimeBarProps): JSX.Element | null {
  const line = historyLine.value;
  const version = at === '' ? (line?.newest ?? 0) : Number(at);
  const step = (by: -1 | 1): void => {
    const known = newestLine();
    if (known === undefined) return;
    const from = at === '' ? known.newest : Number(at);
    const next =
      by < 0 ? (stops.findLast((stop) => stop < from) ?? from - 1) : (stops.find((stop) => stop > from) ?? from + 1);
    if (next >= known.newest) onChange('');
    else onChange(String(Math.max(known.oldest, next)));
  };
  useKeys({ '[': () => step(-1), ']': () => step(1) });
  if (line === undefined) return null;
  const time = timeOf(line, version);
  const isPast = at !== '';
  return (
    <section class={isPast ? 'time-bar time-past' : 'time-bar'} aria-label="Time">
      <button type="button" aria-label="One version back" title="One version back  [" onClick={() => step(-1)}>
        ◀
      </button>
      <label class="time-slider">
        <span class="sr-only">Version</span>
        <input
          type="range"
          min={line.oldest}
          max={line.newest}
          step={1}
          value={version}
          aria-valuetext={`version ${version}${time === undefined ? '' : `, ${timeText(time)}`}`}
          onInput={(event) => {
            const value = Number(event.currentTarget.value);
            onChange(value >= line.newest ? '' : String(value));
          }}
        />
      </label>
      <button type="button" aria-label="One version forward" title="One version forward  ]" onClick={() => step(1)}>
        ▶
      </button>
      <span class="time-label" role="status">
        {isPast ? `version ${version}` : 'now'}
        {isPast && time !== undefined && ` · ${timeText(time)} (${ageText(now.value - time)} ago)`}
      </span>
      <button type="button" disabled={!isPast} onClick={() => onChange('')}>
        Back to now
      </button>
      {!hasServerHistory.value && <span class="muted">since this page was opened</span>}
    </section>
  );
}
