/** The logs of a Pod, live. */

import type { ApiObject } from '@listwatch/api';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { LogView, ObjectAddress } from '../logic/address.ts';
import { chosenContainer } from '../logic/log/log-containers.ts';
import { type LogContent, MAX_LOG_LINES, NO_LOG } from '../logic/log/log-content.ts';
import { LogFilter } from '../logic/log/log-filter.ts';
import type { LogPhase } from '../logic/log/log-phase.ts';
import { replace } from '../state/route.ts';
import { usePodLog } from '../state/use-pod-log.ts';
import { LogBox } from './log-box.tsx';
import { LogToolbar } from './log-toolbar.tsx';

interface LogsProps {
  readonly address: ObjectAddress;
  readonly pod: ApiObject;
  /** The Pod was deleted; `pod` is its last state. */
  readonly isGone: boolean;
}

export function LogsTab({ address, pod, isGone }: LogsProps): JSX.Element {
  const log = usePodLog(address, pod, isGone);
  const view = address.log;
  const container = chosenContainer(pod, view.container);
  const content = log?.content.value;
  const phase: LogPhase = log?.phase.value ?? { type: 'loading' };
  const filter = useMemo(() => new LogFilter(view.filter), [log, view.filter]);
  const lines = filter.apply(content ?? NO_LOG);
  const change = (next: Partial<LogView>): void => replace({ ...address, log: { ...view, ...next } });
  const isRefused = phase.type === 'refused' || phase.type === 'waiting';
  return (
    <div class="log">
      <LogToolbar {...{ pod, container, view, change, log, lines }} name={address.name} />
      <LogStatus phase={phase} content={content} shown={lines.length} isPast={address.at !== ''} />
      {isRefused && lines.length === 0 ? (
        <p class="empty">{phase.text}</p>
      ) : (
        <LogBox
          key={`${container} ${view.previous}`}
          label={`Log of ${container}`}
          lines={lines}
          view={view}
          emptyText={emptyText(phase, content, view.filter)}
        />
      )}
    </div>
  );
}

interface StatusProps {
  readonly phase: LogPhase;
  readonly content: LogContent | undefined;
  readonly shown: number;
  readonly isPast: boolean;
}

const WORDS: Readonly<Record<LogPhase['type'], string>> = {
  asleep: 'paused',
  broken: 'reconnecting',
  ended: 'ended',
  live: 'live',
  loading: 'loading',
  refused: 'no log',
  waiting: 'not started',
};

function LogStatus({ phase, content = NO_LOG, shown, isPast }: StatusProps): JSX.Element {
  const { lines, dropped } = content;
  return (
    <p class="log-status">
      <span class={`status ${STATUS_CLASSES[phase.type]}`} role="status" data-phase={phase.type}>
        {WORDS[phase.type]}
      </span>{' '}
      <span class="muted">
        {shown === lines.length ? '' : `${shown} of `}
        {lines.length === 1 ? '1 line' : `${lines.length} lines`}
        {dropped > 0 && `; the oldest ${dropped} were dropped (at most ${MAX_LOG_LINES} are kept)`}
        {isPast && '; logs have no history: these are of now'}
      </span>{' '}
      {'text' in phase && (lines.length > 0 || phase.type === 'broken') && (
        <span class={phase.type === 'ended' ? '' : 'word-bad'}>
          {phase.type === 'broken' ? `The log cannot be read: ${phase.text}. Trying again.` : phase.text}
        </span>
      )}
    </p>
  );
}

const STATUS_CLASSES: Readonly<Record<LogPhase['type'], string>> = {
  asleep: '',
  broken: 'status-degraded',
  ended: '',
  live: 'status-live',
  loading: 'status-syncing',
  refused: 'status-degraded',
  waiting: 'status-syncing',
};

function emptyText(phase: LogPhase, content: LogContent | undefined, filter: string): string {
  if (content === undefined || phase.type === 'loading') return 'Loading …';
  if (content.lines.length > 0 && filter !== '') return 'No line has this text.';
  return phase.type === 'ended' ? `There are no lines. ${phase.text}` : 'The container has written nothing yet.';
}
