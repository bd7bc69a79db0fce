/** What the status line says: a pure function of what the watcher is doing. */

import type { WatcherProgress } from '@listwatch/runtime';
import { elapsedText, timeOfDay } from '../terminal/elapsed-text.ts';

/** Everything that the line shows. */
export interface WatchStatus {
  /** What is watched: `pods in default`. */
  readonly subject: string;
  readonly progress: Pick<
    WatcherProgress,
    'failures' | 'items' | 'lastBookmarkAt' | 'lastError' | 'page' | 'phase' | 'retryAt' | 'since'
  >;
  /** Pages of the list that runs; undefined where the server does not say. */
  readonly pages: number | undefined;
  /** Objects that are there, as far as they were told. */
  readonly objects: number;
  /** Watches that were opened after the first. */
  readonly reconnects: number;
  readonly now: number;
}

/** The line, without colours and without an end. */
export function statusText(status: WatchStatus, timeText: (ms: number) => string = timeOfDay): string {
  return [`${status.subject}: ${doing(status, timeText)}`, ...facts(status)].join(' · ');
}

function doing({ progress, pages, now }: WatchStatus, timeText: (ms: number) => string): string {
  switch (progress.phase) {
    case 'idle':
      return 'connecting';
    case 'listing':
      if (progress.page === 0) return 'asking for the list';
      return `listing page ${progress.page}${pages === undefined ? '' : ` of ${pages}`}, ${count(progress.items, 'object')}`;
    case 'streaming':
      return `receiving the current state, ${count(progress.items, 'object')}`;
    case 'watching':
      return `live since ${timeText(progress.since)}`;
    case 'waiting':
      return `waiting to try again${progress.retryAt === undefined ? '' : `, in ${elapsedText(progress.retryAt - now + 999)}`}`;
  }
}

function facts({ progress, objects, reconnects, now }: WatchStatus): readonly string[] {
  const { phase, lastBookmarkAt, failures } = progress;
  return [
    ...(phase === 'watching' ? [count(objects, 'object')] : []),
    ...(phase === 'watching' && lastBookmarkAt !== undefined
      ? [`last bookmark ${elapsedText(now - lastBookmarkAt)} ago`]
      : []),
    ...(failures > 0 ? [`${count(failures, 'failure')} in a row`] : []),
    ...(reconnects > 0 ? [count(reconnects, 'reconnect')] : []),
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
