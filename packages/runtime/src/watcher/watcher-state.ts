/**
 * The state machine of a watcher: a union of states and one pure function. `watcher-driver.ts` does what the state says. SPEC.md
 * has the table and the invariants.
 */

import {
  type ApiObject,
  compareResourceVersions,
  isResourceVersion,
  type ObjectEvent,
  type ResourceVersion,
} from '@listwatch/api';
import { objectKey } from '../store/object-key.ts';
import type { ApplyEvent, InitEvent, WatcherEvent } from '../watcher-event.ts';
import { type KnownPosition, startVersion } from './list-position.ts';
import {
  type HistoryAnswer,
  isSeenAgain,
  judgeHistory,
  type LastSeen,
  newerSeen,
  newestOf,
  seenAt,
} from './seen-history.ts';
import { failed, failureOf, noVersion, shortWatch } from './watcher-failure.ts';
import type { FailureInput, WatcherInput } from './watcher-input.ts';
import type { WatcherMemory, WatcherRules, WatchingMemory } from './watcher-memory.ts';

/** Pages are being read. */
export interface ListingState {
  readonly type: 'listing';
  readonly memory: WatcherMemory;
  /** `''`, `'0'` or a version that the list must not be older than. */
  readonly from: string;
  /** The newest object so far. */
  readonly seen: LastSeen | undefined;
  /** 0: all in one piece. */
  readonly limit: number;
  /** The page that was begun last; 0 before the first. */
  readonly page: number;
}

/** A watch that begins with the current objects is being read, up to its marker. */
export interface StreamingState {
  readonly type: 'streaming';
  readonly memory: WatcherMemory;
  readonly from: string;
  /** The newest change so far. */
  readonly seen: LastSeen | undefined;
  /** Has `init` been told? */
  readonly begun: boolean;
}

/** Changes are being read. `memory.position` is where the next watch begins. */
export interface WatchingState {
  readonly type: 'watching';
  readonly memory: WatchingMemory;
  /** Has this watch brought anything? */
  readonly delivered: boolean;
  /** Has this watch been open for a second? */
  readonly steady: boolean;
}

/** The server is asked whether it has the history that was seen, before a watch resumes in it. */
export interface CheckingState {
  readonly type: 'checking';
  readonly memory: WatchingMemory;
  /** `''`: the most recent state; or the version in which the object was seen. */
  readonly at: ResourceVersion | '';
}

/** A pause. */
export interface WaitingState {
  readonly type: 'waiting';
  readonly memory: WatcherMemory;
  readonly next: 'sync' | 'watch';
  /** The server asked for at least this. */
  readonly retryAfterMs: number;
}

export type WatcherState = CheckingState | ListingState | StreamingState | WaitingState | WatchingState;

/** What a watcher says; all but the events are for the reflector. Readers of `watcher` get what came together one by one. */
export type WatcherOutput<T extends ApiObject> =
  | Exclude<WatcherEvent<T>, ApplyEvent<T>>
  | { readonly type: 'initBatch'; readonly objects: readonly T[] }
  | { readonly type: 'changes'; readonly events: readonly ObjectEvent<T>[] }
  | { readonly type: 'bookmark'; readonly resourceVersion: ResourceVersion }
  | { readonly type: 'steady' };

/** Where a step leads, and what is said on the way. */
export interface Transition<T extends ApiObject = ApiObject> {
  readonly state: WatcherState;
  readonly outputs: readonly WatcherOutput<T>[];
}

/** Streams without a marker, 429s or fruitless watches in a row after which another way is tried. */
export const ATTEMPTS = 3;

/** A watch that ends sooner, with nothing in it, is a failure (client-go's "very short watch"). */
export const SHORT_WATCH_MS = 1_000;

/** A watch that lived this long has proven the server well even if nothing happened. Ours; a bookmark comes each minute. */
export const PROVEN_AFTER_MS = 30_000;

/** The first state: a watch from a version that is known, or a sync. */
export function startState(
  rules: WatcherRules,
  streaming: WatcherMemory['streaming'],
  from?: KnownPosition,
): WatcherState {
  const memory: WatcherMemory = {
    rules,
    position: from ?? { type: 'none' },
    streaming,
    failures: 0,
    markerless: 0,
    throttled: 0,
    stumbles: 0,
    otherHistory: false,
    cacheless: false,
  };
  return from === undefined ? sync(memory) : check({ ...memory, position: from });
}

/** What `input` makes of `state`. An input that the state does not expect, such as a late timer, changes nothing. */
export function step<T extends ApiObject>(state: WatcherState, input: WatcherInput<T>): Transition<T> {
  switch (state.type) {
    case 'listing':
      return stepListing(state, input);
    case 'streaming':
      return stepStreaming(state, input);
    case 'watching':
      return stepWatching(state, input);
    case 'checking':
      return stepChecking(state, input);
    case 'waiting':
      return input.type === 'elapsed' ? to(resume(state)) : to(state);
  }
}

function stepListing<T extends ApiObject>(state: ListingState, input: WatcherInput<T>): Transition<T> {
  const { memory } = state;
  switch (input.type) {
    case 'page': {
      const cacheless = memory.cacheless || (input.number > 1 && state.from === '0');
      const next = { ...state, page: input.number, memory: { ...memory, cacheless } };
      return input.number === 1 ? to(next, initOf(memory)) : to(next);
    }
    case 'items':
      return to({ ...state, seen: newestOf(state.seen, input.objects) }, { type: 'initBatch', objects: input.objects });
    case 'listed':
      return synced(state, input.resourceVersion, []);
    case 'expired':
      // The pages were too slow for the history. In one piece, and once: a server that cannot do that either is waited for.
      if (state.page > 0 && state.limit > 0) return to({ ...state, limit: 0, page: 0 }, failed(input));
      return unavailable(state, input);
    case 'tooLarge':
      return unavailable(state, input);
    case 'broken':
    case 'protocol':
    case 'refused':
    case 'serverError':
    case 'throttled':
    case 'unreachable':
    case 'unsupported':
      return pause(memory, 'sync', input);
    case 'bookmark':
    case 'changes':
    case 'checked':
    case 'closed':
    case 'elapsed':
    case 'marker':
    case 'quiet':
    case 'steady':
      return to(state);
  }
}

function stepStreaming<T extends ApiObject>(state: StreamingState, input: WatcherInput<T>): Transition<T> {
  const { memory } = state;
  const init: readonly WatcherOutput<T>[] = state.begun ? [] : [initOf(memory)];
  const begun: StreamingState = state.begun ? state : { ...state, begun: true };
  switch (input.type) {
    // The versions of these are in no order; a watch that resumed from one of them would miss changes.
    case 'changes':
      return to({ ...begun, seen: lastSeen(state.seen, input.events) }, ...init, ...input.events.map(initialChange));
    case 'items':
      return to({ ...begun, seen: newestOf(state.seen, input.objects) }, ...init, {
        type: 'initBatch',
        objects: input.objects,
      });
    case 'marker':
      return synced(state, input.resourceVersion, init);
    case 'closed':
      return markerless(memory, 'the server ended the stream of initial events before its end marker');
    case 'quiet':
      return markerless(
        { ...memory, markerless: ATTEMPTS },
        'the initial events stopped without the bookmark that ends them',
      );
    case 'expired':
    case 'tooLarge':
      return unavailable(state, input);
    case 'throttled':
      return pause({ ...memory, throttled: memory.throttled + 1 }, 'sync', input);
    case 'broken':
      return pause({ ...memory, markerless: memory.markerless + 1 }, 'sync', input);
    case 'unreachable':
      return pause(memory, 'sync', input);
    case 'unsupported':
      if (memory.streaming === 'only') return pause(memory, 'sync', input);
      return to(list({ ...memory, streaming: 'never' }), failed(input));
    // A list says it more clearly, or works.
    case 'protocol':
    case 'refused':
    case 'serverError':
      return memory.streaming === 'only' ? pause(memory, 'sync', input) : to(list(memory), failed(input));
    case 'bookmark':
    case 'checked':
    case 'elapsed':
    case 'listed':
    case 'page':
    case 'steady':
      return to(state);
  }
}

function stepWatching<T extends ApiObject>(state: WatchingState, input: WatcherInput<T>): Transition<T> {
  const { memory } = state;
  switch (input.type) {
    case 'changes':
      return changes(state, input.events);
    case 'bookmark':
    case 'marker':
      return bookmark(state, input.resourceVersion);
    case 'steady':
      return state.steady ? to(state) : to({ ...state, steady: true }, { type: 'steady' });
    case 'closed':
      // A server that ends a watch on time is the one that began it. Any other end may be that of the server.
      if (input.isTimeout) return to(watch(settle(memory, input.livedMs)));
      if (state.delivered || input.livedMs >= SHORT_WATCH_MS) return to(check(settle(memory, input.livedMs)));
      return stumble(memory, shortWatch(input.livedMs));
    // The server has what a damaged frame held: the next watch asks for everything after the last good event.
    case 'broken':
    case 'protocol':
      if (state.delivered || input.livedMs >= PROVEN_AFTER_MS) {
        return to(check(settle(memory, input.livedMs)), failed(input));
      }
      // The first break of a quiet watch is hardly a loop: where there are several servers, another one goes on without a pause.
      if (state.steady && memory.stumbles === 0) return to(check({ ...memory, stumbles: 1 }), failed(input));
      return stumble(memory, input);
    case 'refused':
    case 'unsupported':
      return stumble(memory, input);
    case 'throttled':
    case 'unreachable':
      return pause(settle(memory, input.livedMs), 'watch', input);
    // A server that shows its objects by another schema says so, too: those with the same version may look different.
    case 'expired':
      return pause({ ...settle(memory, input.livedMs), otherHistory: true }, 'sync', input);
    case 'serverError':
      return pause(settle(memory, input.livedMs), 'sync', input);
    case 'tooLarge':
      return distrust(memory, input);
    case 'checked':
    case 'elapsed':
    case 'items':
    case 'listed':
    case 'page':
    case 'quiet':
      return to(state);
  }
}

function stepChecking<T extends ApiObject>(state: CheckingState, input: WatcherInput<T>): Transition<T> {
  const { memory, at } = state;
  const unchecked: WatcherMemory = { ...memory, otherHistory: true };
  switch (input.type) {
    case 'checked':
      return checked(state, input);
    // The history no longer reaches back to what was seen, or cannot be asked for: only a list tells.
    case 'expired':
    case 'unsupported':
      return at === '' ? stumble(unchecked, input) : to(sync(unchecked), failed(input));
    case 'tooLarge':
      return distrust(memory, input);
    case 'broken':
    case 'protocol':
    case 'refused':
    case 'serverError':
      return stumble(unchecked, input);
    case 'throttled':
    case 'unreachable':
      return pause(memory, 'watch', input);
    case 'bookmark':
    case 'changes':
    case 'closed':
    case 'elapsed':
    case 'items':
    case 'listed':
    case 'marker':
    case 'page':
    case 'quiet':
    case 'steady':
      return to(state);
  }
}

function checked<T extends ApiObject>({ memory, at }: CheckingState, answer: HistoryAnswer): Transition<T> {
  const { resourceVersion, seen } = memory.position;
  const other = (): Transition<T> =>
    distrust(memory, failureOf('WATCH_FAILED', 'the server was restored or replaced: its history is another'));
  const known: WatchingMemory = { ...memory, otherHistory: false };
  if (at !== '') return seen === undefined || isSeenAgain(seen, answer.object) ? to(watch(known)) : other();
  const verdict = judgeHistory(resourceVersion, seen, answer);
  if (verdict === 'other') return other();
  if (verdict === 'same') return to(watch(known));
  return to({ type: 'checking', memory, at: seenAt(resourceVersion, seen) });
}

/** What is cached must be compared with the most recent state. */
function distrust<T extends ApiObject>(memory: WatcherMemory, input: FailureInput): Transition<T> {
  return pause({ ...memory, position: { type: 'unavailable' }, otherHistory: true }, 'sync', input);
}

/** Begins to fetch the whole state: as a stream, unless that is known not to work. */
function sync(memory: WatcherMemory): WatcherState {
  const { streaming, position, rules } = memory;
  const hopeful = streaming === 'first' && memory.markerless < ATTEMPTS && memory.throttled < ATTEMPTS;
  if (streaming !== 'only' && !hopeful) return list(memory);
  return {
    type: 'streaming',
    memory,
    from: startVersion(position, rules.listSemantic),
    seen: NOTHING_SEEN,
    begun: false,
  };
}

function list(memory: WatcherMemory): ListingState {
  const { rules, position } = memory;
  const from = startVersion(position, rules.listSemantic);
  // A cache serves "not older than" only in one piece; with a limit the request would go through to the storage.
  const whole = from !== '' && from !== '0' && !rules.alwaysPaged && !memory.cacheless;
  return { type: 'listing', memory, from, seen: NOTHING_SEEN, limit: whole ? 0 : rules.pageSize, page: 0 };
}

function watch(memory: WatchingMemory): WatchingState {
  return { type: 'watching', memory, delivered: false, steady: false };
}

function check(memory: WatchingMemory): CheckingState {
  return { type: 'checking', memory, at: '' };
}

function resume({ memory, next }: WaitingState): WatcherState {
  const { position } = memory;
  return next === 'watch' && position.type === 'at' ? check({ ...memory, position }) : sync(memory);
}

/** The state is whole. The pauses are not forgotten: a list that is always followed by a 410 would else be a busy loop. */
function synced<T extends ApiObject>(
  { memory, seen }: ListingState | StreamingState,
  resourceVersion: string | undefined,
  init: readonly WatcherOutput<T>[],
): Transition<T> {
  if (!isResourceVersion(resourceVersion)) return pause(memory, 'sync', noVersion('the list', resourceVersion));
  const position: KnownPosition = { type: 'at', resourceVersion, seen };
  const fresh = { ...memory, position, otherHistory: false, markerless: 0, throttled: 0, stumbles: 0 };
  return to(watch(fresh), ...init, { type: 'initDone', resourceVersion });
}

/** The version that was asked for cannot be had: ask for what is true now, at once; if that was it, wait. */
function unavailable<T extends ApiObject>(state: ListingState | StreamingState, input: FailureInput): Transition<T> {
  const otherHistory = state.memory.otherHistory || input.type === 'tooLarge';
  const memory: WatcherMemory = { ...state.memory, position: { type: 'unavailable' }, otherHistory };
  if (state.from === '') return pause(memory, 'sync', input);
  return to(state.type === 'listing' ? list(memory) : sync(memory), failed(input));
}

/** Another stream without its end: try again, and after some list instead. */
function markerless<T extends ApiObject>(memory: WatcherMemory, message: string): Transition<T> {
  const counted = { ...memory, markerless: memory.markerless + 1 };
  const input = failureOf('NO_END_MARKER', message);
  if (memory.streaming === 'only' || counted.markerless < ATTEMPTS) return pause(counted, 'sync', input);
  return to(list({ ...counted, streaming: 'never' }), failed(input));
}

/** Objects have changed. Events behind a faulty one are dropped; the list that follows includes them. */
function changes<T extends ApiObject>(state: WatchingState, events: readonly ObjectEvent<T>[]): Transition<T> {
  let { resourceVersion: position } = state.memory.position;
  let problem: ((memory: WatcherMemory) => Transition<T>) | undefined;
  let count = 0;
  for (const { type, object } of events) {
    const { resourceVersion } = object.metadata;
    if (!isResourceVersion(resourceVersion)) {
      problem = (memory) => pause(memory, 'sync', noVersion('an event', resourceVersion));
      break;
    }
    const order = compareResourceVersions(resourceVersion, position);
    // Old servers send a delete with the version that the object had before.
    if (order < 0 && type !== 'DELETED') {
      problem = (memory) => wentBack(memory, resourceVersion, position);
      break;
    }
    if (order > 0) position = resourceVersion;
    count += 1;
  }
  const good = count === events.length ? events : events.slice(0, count);
  const told: Transition<T> = count === 0 ? to(state) : advance(state, position, { type: 'changes', events: good });
  if (problem === undefined) return told;
  const paused = problem(told.state.memory);
  return { state: paused.state, outputs: [...told.outputs, ...paused.outputs] };
}

/** Something has come: the server is well, and the next watch begins after it. */
function advance<T extends ApiObject>(
  { memory }: WatchingState,
  resourceVersion: ResourceVersion,
  output: Extract<WatcherOutput<T>, { type: 'bookmark' | 'changes' }>,
): Transition<T> {
  const { seen } = memory.position;
  const position: KnownPosition = {
    type: 'at',
    resourceVersion,
    seen: output.type === 'changes' ? lastSeen(seen, output.events) : seen,
  };
  // Copied once: this is done for every batch of events.
  const well = { ...memory, position, failures: 0, stumbles: 0 };
  return to({ type: 'watching', memory: well, delivered: true, steady: true }, output);
}

function bookmark<T extends ApiObject>(state: WatchingState, version: string): Transition<T> {
  const { memory } = state;
  if (!isResourceVersion(version)) return pause(memory, 'sync', noVersion('a bookmark', version));
  const known = memory.position.resourceVersion;
  // The server is behind the one that was watched before, or was restored: it hides every change up to the known version. A check
  // tells which, for it asks for the most recent state.
  if (compareResourceVersions(version, known) < 0) {
    const message = `the server sent a bookmark at version ${version}, after ${known} was seen`;
    return pause(memory, 'watch', failureOf('WATCH_FAILED', message));
  }
  return advance(state, version, { type: 'bookmark', resourceVersion: version });
}

function wentBack<T extends ApiObject>(memory: WatcherMemory, version: string, known: string): Transition<T> {
  const message = `the server was restored or replaced: it is at version ${version}, after ${known} was seen`;
  return distrust(memory, failureOf('WATCH_FAILED', message));
}

const NOTHING_SEEN: LastSeen = { type: 'nothing' };

/** The last of several events that came in order. */
function lastSeen(seen: LastSeen | undefined, events: readonly ObjectEvent[]): LastSeen | undefined {
  const last = events.at(-1);
  return last === undefined ? seen : newerSeen(seen, last.object, last.type === 'DELETED');
}

/** The watch came to nothing. Waiting may help; if it does not, the version may be what the server cannot take. */
function stumble<T extends ApiObject>(memory: WatcherMemory, input: FailureInput): Transition<T> {
  const stumbles = memory.stumbles + 1;
  return pause({ ...memory, stumbles }, stumbles < ATTEMPTS ? 'watch' : 'sync', input);
}

function pause<T extends ApiObject>(
  memory: WatcherMemory,
  next: WaitingState['next'],
  input: FailureInput,
): Transition<T> {
  const waiting = { ...memory, failures: memory.failures + 1 };
  return to({ type: 'waiting', memory: waiting, next, retryAfterMs: input.retryAfterMs ?? 0 }, failed(input));
}

function settle<M extends WatcherMemory>(memory: M, livedMs: number): M {
  return livedMs < PROVEN_AFTER_MS ? memory : { ...memory, failures: 0, stumbles: 0 };
}

function initOf({ otherHistory }: WatcherMemory): InitEvent {
  return otherHistory ? { type: 'init', otherHistory } : { type: 'init' };
}

function to<T extends ApiObject>(state: WatcherState, ...outputs: readonly WatcherOutput<T>[]): Transition<T> {
  return { state, outputs };
}

/** A change before the state is whole. */
function initialChange<T extends ApiObject>({ type, object }: ObjectEvent<T>): WatcherOutput<T> {
  if (type !== 'DELETED') return { type: 'initApply', object };
  return { type: 'delete', key: objectKey(object), object, finalStateKnown: true };
}
