/**
 * The machine of a watcher: what it is doing, and what each thing that happens makes of it. Pure; `watcher-driver.ts` does
 * what the state says. SPEC.md has the table and the invariants.
 */

import {
  type ApiObject,
  compareResourceVersions,
  isResourceVersion,
  type ObjectEvent,
  type ResourceVersion,
} from '@listwatch/api';
import { TransportError } from '@listwatch/client/internal';
import { objectKey } from '../store/object-key.ts';
import { WatcherError, type WatcherErrorCode } from '../watcher-error.ts';
import type { ApplyEvent, WatcherEvent } from '../watcher-event.ts';
import { type KnownPosition, type ListPosition, startVersion } from './list-position.ts';
import type { FailureInput, WatcherInput } from './watcher-input.ts';

/** What does not change while a watcher runs. */
export interface WatcherRules {
  readonly listSemantic: 'any' | 'mostRecent';
  readonly pageSize: number;
  readonly alwaysPaged: boolean;
}

/** What every state remembers. */
export interface WatcherMemory {
  readonly rules: WatcherRules;
  readonly position: ListPosition;
  /** `never` is also what `first` becomes when the server is seen not to do it. */
  readonly streaming: 'first' | 'never' | 'only';
  /** Pauses since the last proven progress; sets the length of the next. */
  readonly failures: number;
  /** Streams of initial events in a row that ended without their marker. */
  readonly markerless: number;
  /** Streams of initial events in a row that were answered 429. */
  readonly throttled: number;
  /** Watches in a row that came to nothing, for no reason that waiting cures. */
  readonly stumbles: number;
  /** The server answered a list "from its cache" in pages: it has no cache, so later lists are paged too. */
  readonly cacheless: boolean;
}

/** The memory of one that watches: it knows where it stands. */
export interface WatchingMemory extends WatcherMemory {
  readonly position: KnownPosition;
}

/** Pages are being read. */
export interface ListingState {
  readonly type: 'listing';
  readonly memory: WatcherMemory;
  /** `''`, `'0'` or a version that the list must not be older than. */
  readonly from: string;
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

/** Nothing is under way, for a while. */
export interface WaitingState {
  readonly type: 'waiting';
  readonly memory: WatcherMemory;
  readonly next: 'sync' | 'watch';
  /** The server asked for at least this. */
  readonly retryAfterMs: number;
}

export type WatcherState = ListingState | StreamingState | WaitingState | WatchingState;

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
  from?: ResourceVersion,
): WatcherState {
  const memory: WatcherMemory = {
    rules,
    position: from === undefined ? { type: 'none' } : { type: 'at', resourceVersion: from },
    streaming,
    failures: 0,
    markerless: 0,
    throttled: 0,
    stumbles: 0,
    cacheless: false,
  };
  return from === undefined ? sync(memory) : watch(memory, from);
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
      return input.number === 1 ? to(next, { type: 'init' }) : to(next);
    }
    case 'items':
      return to(state, { type: 'initBatch', objects: input.objects });
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
  const init: readonly WatcherOutput<T>[] = state.begun ? [] : [{ type: 'init' }];
  const begun: StreamingState = state.begun ? state : { ...state, begun: true };
  switch (input.type) {
    // The versions of these are in no order; a watch that resumed from one of them would miss changes.
    case 'changes':
      return to(begun, ...init, ...input.events.map(initialChange));
    case 'items':
      return to(begun, ...init, { type: 'initBatch', objects: input.objects });
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
      if (state.delivered || input.livedMs >= SHORT_WATCH_MS) return to(again(settle(memory, input.livedMs)));
      return stumble(memory, shortWatch(input.livedMs));
    // The server has what a damaged frame held: the next watch asks for everything after the last good event.
    case 'broken':
    case 'protocol':
      if (state.delivered || input.livedMs >= PROVEN_AFTER_MS) {
        return to(again(settle(memory, input.livedMs)), failed(input));
      }
      return stumble(memory, input);
    case 'refused':
    case 'unsupported':
      return stumble(memory, input);
    case 'throttled':
    case 'unreachable':
      return pause(settle(memory, input.livedMs), 'watch', input);
    case 'expired':
    case 'serverError':
      return pause(settle(memory, input.livedMs), 'sync', input);
    case 'tooLarge':
      return pause({ ...memory, position: { type: 'unavailable' } }, 'sync', input);
    case 'elapsed':
    case 'items':
    case 'listed':
    case 'page':
    case 'quiet':
      return to(state);
  }
}

/** Begins to fetch the whole state: as a stream, unless that is known not to work. */
function sync(memory: WatcherMemory): WatcherState {
  const { streaming, position, rules } = memory;
  const hopeful = streaming === 'first' && memory.markerless < ATTEMPTS && memory.throttled < ATTEMPTS;
  if (streaming !== 'only' && !hopeful) return list(memory);
  return { type: 'streaming', memory, from: startVersion(position, rules.listSemantic), begun: false };
}

function list(memory: WatcherMemory): ListingState {
  const { rules, position } = memory;
  const from = startVersion(position, rules.listSemantic);
  // A cache serves "not older than" only in one piece; with a limit the request would go through to the storage.
  const whole = from !== '' && from !== '0' && !rules.alwaysPaged && !memory.cacheless;
  return { type: 'listing', memory, from, limit: whole ? 0 : rules.pageSize, page: 0 };
}

function watch(memory: WatcherMemory, resourceVersion: ResourceVersion): WatchingState {
  return {
    type: 'watching',
    memory: { ...memory, position: { type: 'at', resourceVersion } },
    delivered: false,
    steady: false,
  };
}

/** A new watch from where the last one ended. */
function again(memory: WatchingMemory): WatchingState {
  return { type: 'watching', memory, delivered: false, steady: false };
}

function resume({ memory, next }: WaitingState): WatcherState {
  return next === 'watch' && memory.position.type === 'at'
    ? watch(memory, memory.position.resourceVersion)
    : sync(memory);
}

/** The state is whole. The pauses are not forgotten: a list that is always followed by a 410 would else be a busy loop. */
function synced<T extends ApiObject>(
  { memory }: ListingState | StreamingState,
  resourceVersion: string | undefined,
  init: readonly WatcherOutput<T>[],
): Transition<T> {
  if (!isResourceVersion(resourceVersion)) return pause(memory, 'sync', noVersion('the list', resourceVersion));
  const fresh = { ...memory, markerless: 0, throttled: 0, stumbles: 0 };
  return to(watch(fresh, resourceVersion), ...init, { type: 'initDone', resourceVersion });
}

/** The version that was asked for cannot be had: ask for what is true now, at once; if that was it, wait. */
function unavailable<T extends ApiObject>(state: ListingState | StreamingState, input: FailureInput): Transition<T> {
  const memory: WatcherMemory = { ...state.memory, position: { type: 'unavailable' } };
  if (state.from === '') return pause(memory, 'sync', input);
  return to(state.type === 'listing' ? list(memory) : { ...state, memory, from: '', begun: false }, failed(input));
}

/** Another stream without its end: try again, and after some list instead. */
function markerless<T extends ApiObject>(memory: WatcherMemory, message: string): Transition<T> {
  const counted = { ...memory, markerless: memory.markerless + 1 };
  const input = failureOf('NO_END_MARKER', message);
  if (memory.streaming === 'only' || counted.markerless < ATTEMPTS) return pause(counted, 'sync', input);
  return to(list({ ...counted, streaming: 'never' }), failed(input));
}

/** Objects have changed. What comes after an event without a version is not told: it will be in the list that follows. */
function changes<T extends ApiObject>(state: WatchingState, events: readonly ObjectEvent<T>[]): Transition<T> {
  const faulty = events.findIndex(({ object }) => !isResourceVersion(object.metadata.resourceVersion));
  const good = faulty < 0 ? events : events.slice(0, faulty);
  const last = good.at(-1);
  const told = last === undefined ? to<T>(state) : advance(state, versionOf(last), { type: 'changes', events: good });
  const bad = events[faulty];
  if (bad === undefined) return told;
  const paused = pause<T>(told.state.memory, 'sync', noVersion('an event', versionOf(bad)));
  return { state: paused.state, outputs: [...told.outputs, ...paused.outputs] };
}

function versionOf({ object }: ObjectEvent): string | undefined {
  return object.metadata.resourceVersion;
}

/** Something has come: the server is well, and the next watch begins after it. */
function advance<T extends ApiObject>(
  { memory }: WatchingState,
  version: string | undefined,
  output: WatcherOutput<T>,
): Transition<T> {
  if (!isResourceVersion(version)) return pause(memory, 'sync', noVersion('an event', version));
  // Copied once: this is done for every event.
  const well = { ...memory, position: { type: 'at', resourceVersion: version }, failures: 0, stumbles: 0 } as const;
  return to({ type: 'watching', memory: well, delivered: true, steady: true }, output);
}

function bookmark<T extends ApiObject>(state: WatchingState, version: string): Transition<T> {
  const { memory } = state;
  if (!isResourceVersion(version)) return pause(memory, 'sync', noVersion('a bookmark', version));
  const known = memory.position.resourceVersion;
  // The cluster was restored from a backup or made anew: it hides every change up to the version that we ask from.
  if (compareResourceVersions(version, known) < 0) {
    const message = `the server stands at ${version}, before ${known} that was seen: another history`;
    return pause({ ...memory, position: { type: 'unavailable' } }, 'sync', failureOf('WATCH_FAILED', message));
  }
  return advance(state, version, { type: 'bookmark', resourceVersion: version });
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

function to<T extends ApiObject>(state: WatcherState, ...outputs: readonly WatcherOutput<T>[]): Transition<T> {
  return { state, outputs };
}

/** A change before the state is whole. */
function initialChange<T extends ApiObject>({ type, object }: ObjectEvent<T>): WatcherOutput<T> {
  if (type !== 'DELETED') return { type: 'initApply', object };
  return { type: 'delete', key: objectKey(object), object, finalStateKnown: true };
}

function failed({ error }: FailureInput): { readonly type: 'error'; readonly error: WatcherError } {
  return { type: 'error', error };
}

function shortWatch(livedMs: number): FailureInput {
  return { ...failureOf('WATCH_FAILED', `the server ended the watch after ${livedMs} ms with nothing in it`), livedMs };
}

function noVersion(what: string, version: string | undefined): FailureInput {
  return failureOf('NO_RESOURCE_VERSION', `${what} has no usable version: ${JSON.stringify(version)}`);
}

/** A failure that nobody threw. */
function failureOf(code: WatcherErrorCode, message: string): FailureInput {
  const cause = new TransportError(code === 'NO_RESOURCE_VERSION' ? 'PROTOCOL' : 'CLOSED', message);
  return { type: 'broken', error: new WatcherError(code, message, { cause }), livedMs: 0 };
}
