/** Which log is shown, and how. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { LogView } from '../logic/address.ts';
import { withoutCodes } from '../logic/log/ansi-text.ts';
import { type LogContainer, logContainers } from '../logic/log/log-containers.ts';
import { MAX_LOG_LINES, type PodLogLine } from '../logic/log/log-content.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { saveFile } from '../parts/save-file.ts';
import type { PodLog } from '../state/pod-log.ts';

interface ToolbarProps {
  readonly pod: ApiObject;
  readonly name: string;
  readonly container: string;
  readonly view: LogView;
  readonly change: (next: Partial<LogView>) => void;
  readonly log: PodLog | undefined;
  /** Those that are shown. */
  readonly lines: readonly PodLogLine[];
}

export function LogToolbar({ pod, name, container, view, change, log, lines }: ToolbarProps): JSX.Element {
  const text = (): string => lines.map((line) => lineText(line, view.times)).join('');
  return (
    <div class="toolbar" role="search" aria-label="Log">
      <label class="field">
        <span>Container</span>
        <select value={container} onChange={(event) => change({ container: event.currentTarget.value })}>
          {logContainers(pod).map((each) => (
            <option key={each.name} value={each.name}>
              {each.name}
              {TYPE_WORDS[each.type]}
            </option>
          ))}
        </select>
      </label>
      <label class="field field-search">
        <span class="sr-only">Filter lines</span>
        <input
          type="search"
          data-search
          placeholder="Filter lines  /"
          value={view.filter}
          onInput={(event) => change({ filter: event.currentTarget.value })}
        />
      </label>
      <Check label="Previous run" isSet={view.previous} set={(previous) => change({ previous })} />
      <Check label="Times" isSet={view.times} set={(times) => change({ times })} />
      <Check label="Wrap" isSet={view.wrap} set={(wrap) => change({ wrap })} />
      <EarlierButton log={log} change={change} />
      <CopyButton text={text} />
      <button type="button" onClick={() => saveFile(`${name}-${container}.log`, 'text/plain', text())}>
        Download
      </button>
    </div>
  );
}

const TYPE_WORDS: Readonly<Record<LogContainer['type'], string>> = {
  container: '',
  init: ' (init)',
  ephemeral: ' (ephemeral)',
};

interface CheckProps {
  readonly label: string;
  readonly isSet: boolean;
  readonly set: (isSet: boolean) => void;
}

function Check({ label, isSet, set }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={isSet} onChange={() => set(!isSet)} /> {label}
    </label>
  );
}

/** So many more with each click. */
const EARLIER_LINES = 2000;

function EarlierButton({ log, change }: Pick<ToolbarProps, 'change' | 'log'>): JSX.Element {
  const [state, setState] = useState<{ readonly log?: PodLog | undefined; readonly text: string }>({ text: '' });
  const text = state.log === log ? state.text : '';
  const count = log?.content.value?.lines.length ?? 0;
  const read = async (): Promise<void> => {
    if (log === undefined) return;
    const tail = Math.min(MAX_LOG_LINES, count + EARLIER_LINES);
    setState({ log, text: 'Reading …' });
    try {
      const isMore = await log.readEarlier(tail);
      setState({ log, text: isMore ? '' : 'No earlier lines' });
      if (isMore) change({ tail });
    } catch {
      // The status of the log says what is wrong; the button can be used again.
      setState({ log, text: '' });
    }
  };
  return (
    <button
      type="button"
      title={`Reads ${EARLIER_LINES} lines more`}
      disabled={text !== '' || count === 0 || count >= MAX_LOG_LINES}
      onClick={() => void read()}
    >
      {text === '' ? 'Earlier lines' : text}
    </button>
  );
}

function lineText({ type, time, text }: PodLogLine, withTimes: boolean): string {
  if (type === 'notice') return '';
  return `${withTimes && time !== '' ? `${time} ` : ''}${withoutCodes(text)}\n`;
}
