/** Every state and every input of a watcher's machine. A new state or input does not compile until its cells are here. */

import { resourceVersion } from '@listwatch/api';
import type { WatcherInput, WatcherInputType } from '../src/watcher/watcher-input.ts';
import type { WatcherMemory } from '../src/watcher/watcher-memory.ts';
import type {
  CheckingState,
  ListingState,
  StreamingState,
  WaitingState,
  WatcherState,
  WatchingState,
} from '../src/watcher/watcher-state.ts';
import { WatcherError } from '../src/watcher-error.ts';
import { type Thing, thing } from './model-object.ts';

type StateName = WatcherState['type'];

/** What a cell says: where it leads and what is told; `-` is "nothing happens". */
export const TABLE: Readonly<Record<WatcherInputType, Readonly<Record<StateName, string>>>> = {
  page: { listing: 'listing 5: init', streaming: '-', watching: '-', waiting: '-', checking: '-' },
  items: {
    listing: 'listing 5: initBatch',
    streaming: 'streaming 5: init, initBatch',
    watching: '-',
    waiting: '-',
    checking: '-',
  },
  listed: { listing: 'watching 9: initDone', streaming: '-', watching: '-', waiting: '-', checking: '-' },
  changes: {
    listing: '-',
    streaming: 'streaming 5: init, initApply',
    watching: 'watching 9: changes',
    waiting: '-',
    checking: '-',
  },
  bookmark: { listing: '-', streaming: '-', watching: 'watching 9: bookmark', waiting: '-', checking: '-' },
  marker: {
    listing: '-',
    streaming: 'watching 9: init, initDone',
    watching: 'watching 9: bookmark',
    waiting: '-',
    checking: '-',
  },
  steady: { listing: '-', streaming: '-', watching: 'watching 5: steady', waiting: '-', checking: '-' },
  closed: {
    listing: '-',
    streaming: 'waiting for sync: error',
    watching: 'waiting for watch: error',
    waiting: '-',
    checking: '-',
  },
  checked: { listing: '-', streaming: '-', watching: '-', waiting: '-', checking: 'watching 5: ' },
  quiet: { listing: '-', streaming: 'listing 5: error', watching: '-', waiting: '-', checking: '-' },
  elapsed: { listing: '-', streaming: '-', watching: '-', waiting: 'streaming 5: ', checking: '-' },
  expired: {
    listing: "listing '': error",
    streaming: "streaming '': error",
    watching: 'waiting for sync: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
  tooLarge: {
    listing: "listing '': error",
    streaming: "streaming '': error",
    watching: 'waiting for sync: error',
    waiting: '-',
    checking: 'waiting for sync: error',
  },
  throttled: {
    listing: 'waiting for sync: error',
    streaming: 'waiting for sync: error',
    watching: 'waiting for watch: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
  unreachable: {
    listing: 'waiting for sync: error',
    streaming: 'waiting for sync: error',
    watching: 'waiting for watch: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
  broken: {
    listing: 'waiting for sync: error',
    streaming: 'waiting for sync: error',
    watching: 'waiting for watch: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
  refused: {
    listing: 'waiting for sync: error',
    streaming: 'listing 5: error',
    watching: 'waiting for watch: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
  unsupported: {
    listing: 'waiting for sync: error',
    streaming: 'listing 5: error',
    watching: 'waiting for watch: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
  protocol: {
    listing: 'waiting for sync: error',
    streaming: 'listing 5: error',
    watching: 'waiting for watch: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
  serverError: {
    listing: 'waiting for sync: error',
    streaming: 'listing 5: error',
    watching: 'waiting for sync: error',
    waiting: '-',
    checking: 'waiting for watch: error',
  },
};

const five = resourceVersion('5');

export const MEMORY: WatcherMemory = {
  rules: { listSemantic: 'any', pageSize: 500, alwaysPaged: false },
  position: { type: 'at', resourceVersion: five },
  streaming: 'first',
  failures: 0,
  markerless: 0,
  throttled: 0,
  stumbles: 0,
  otherHistory: false,
  cacheless: false,
};

/** The states that the table begins from: all of them know version 5 and nothing has failed yet. */
export const STATES: {
  readonly listing: ListingState;
  readonly streaming: StreamingState;
  readonly watching: WatchingState;
  readonly waiting: WaitingState;
  readonly checking: CheckingState;
} = {
  listing: { type: 'listing', memory: MEMORY, from: '5', seen: { type: 'nothing' }, limit: 0, page: 0 },
  streaming: { type: 'streaming', memory: MEMORY, from: '5', seen: { type: 'nothing' }, begun: false },
  watching: {
    type: 'watching',
    memory: { ...MEMORY, position: { type: 'at', resourceVersion: five } },
    delivered: false,
    steady: false,
  },
  waiting: { type: 'waiting', memory: { ...MEMORY, failures: 1 }, next: 'sync', retryAfterMs: 0 },
  checking: { type: 'checking', memory: { ...MEMORY, position: { type: 'at', resourceVersion: five } }, at: '' },
};

const object = thing('a/x', 9);
/** What all failures have. */
export const failure = { error: new WatcherError('WATCH_FAILED', 'it failed', { cause: undefined }), livedMs: 0 };

/** One of each input; whatever has a version has 9. */
export const INPUTS: Readonly<Record<WatcherInputType, WatcherInput<Thing>>> = {
  page: { type: 'page', number: 1 },
  items: { type: 'items', objects: [object] },
  listed: { type: 'listed', resourceVersion: '9' },
  changes: { type: 'changes', events: [{ type: 'MODIFIED', object }] },
  bookmark: { type: 'bookmark', resourceVersion: '9' },
  marker: { type: 'marker', resourceVersion: '9' },
  steady: { type: 'steady' },
  closed: { type: 'closed', livedMs: 0, isTimeout: false },
  checked: { type: 'checked', resourceVersion: '9', object: undefined },
  quiet: { type: 'quiet' },
  elapsed: { type: 'elapsed' },
  expired: { type: 'expired', ...failure },
  tooLarge: { type: 'tooLarge', ...failure },
  throttled: { type: 'throttled', ...failure },
  unreachable: { type: 'unreachable', ...failure },
  broken: { type: 'broken', ...failure },
  refused: { type: 'refused', ...failure },
  unsupported: { type: 'unsupported', ...failure },
  protocol: { type: 'protocol', ...failure },
  serverError: { type: 'serverError', ...failure },
};

/** A state in the words of the table. */
export function stateText(state: WatcherState): string {
  switch (state.type) {
    case 'listing':
    case 'streaming':
      return `${state.type} ${state.from === '' ? "''" : state.from}`;
    case 'watching':
      return `watching ${state.memory.position.resourceVersion}`;
    case 'checking':
      return `checking ${state.memory.position.resourceVersion}`;
    case 'waiting':
      return `waiting for ${state.next}`;
  }
}

/** The table as SPEC.md has it. */
export function tableText(): string {
  const states = Object.values(STATES);
  const rows = Object.values(INPUTS).map(({ type }) => [
    type,
    ...states.map((state) => TABLE[type][state.type].trim()),
  ]);
  return [['input', ...states.map(({ type }) => type)], ...rows].map((row) => row.join(' | ')).join('\n');
}
