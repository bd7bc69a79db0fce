/** Reads a watcher in the background and writes down what it says. */

import { objectKey } from '../src/store/object-key.ts';
import type { Watcher } from '../src/watcher/watcher.ts';
import type { WatcherEvent } from '../src/watcher-event.ts';
import type { Thing } from './model-object.ts';

export interface WatcherReader {
  readonly events: readonly WatcherEvent<Thing>[];
  /** Events in short: `init`, `+a/x@11`, `done@11`, `a/x@12`, `-a/x@13`, `!CODE`. */
  readonly said: readonly string[];
  /** What has been said since the last call. */
  readonly news: () => readonly string[];
  /** Settles when the reader has ended. */
  readonly ended: Promise<unknown>;
}

/** Reads until the watcher ends. */
export function readAll(watcher: Watcher<Thing>): WatcherReader {
  const events: WatcherEvent<Thing>[] = [];
  const said: string[] = [];
  let read = 0;
  const run = async (): Promise<void> => {
    for await (const event of watcher) {
      events.push(event);
      said.push(short(event));
    }
  };
  return {
    events,
    said,
    news: () => {
      const from = read;
      read = said.length;
      return said.slice(from);
    },
    ended: run().then(
      () => 'end',
      (reason: unknown) => reason,
    ),
  };
}

function short(event: WatcherEvent<Thing>): string {
  switch (event.type) {
    case 'init':
      return 'init';
    case 'initApply':
      return `+${named(event.object)}`;
    case 'initDone':
      return `done@${event.resourceVersion}`;
    case 'apply':
      return named(event.object);
    case 'delete':
      return `-${event.object === undefined ? event.key : named(event.object)}`;
    case 'error':
      return `!${event.error.code}`;
  }
}

function named(object: Thing): string {
  return `${objectKey(object)}@${object.metadata.resourceVersion}`;
}
