/** Predicts what a server needs for a workload. Pure arithmetic on measured unit costs. */

import type { SizedCost, Transport, UnitCosts } from './unit-costs.ts';

/** What clients do to one server. Rates are per second. */
export interface Workload {
  readonly objects: number;
  /** Of one object, as JSON on the wire. */
  readonly objectBytes: number;
  readonly transport: Transport;
  /** Watches on one connection. Default: 1 in HTTP/1.1, which allows no more, and 100 in HTTP/2. */
  readonly watchesPerConnection?: number | undefined;
  /** Watchers that see every write. */
  readonly followers: number;
  /** Watchers with a selector: the kubelet of one node, the controller of one label. */
  readonly selectors: number;
  /** How many of the selectors see a write. Default: 1, or 0 when there are none. */
  readonly selectedPerWrite?: number | undefined;
  readonly writes: number;
  /** Default: `replace`. */
  readonly write?: 'patch' | 'replace' | undefined;
  /** The part of the writes that comes through this server; others of the cluster take the rest. Default: 1. */
  readonly ownShare?: number | undefined;
  readonly lists?: number | undefined;
  /** Objects in the answer of each. Default: all. */
  readonly objectsPerList?: number | undefined;
  /** How long it lasts, in seconds. Default: long enough for the window of changes to be full. */
  readonly seconds?: number | undefined;
}

/** What one server needs. */
export interface Prediction {
  /** CPU seconds each second, by what they are spent on; `all` is their sum. */
  readonly cores: Readonly<Record<'all' | 'followers' | 'idle' | 'lists' | 'selectors' | 'writes', number>>;
  /** When garbage has been collected; `all` is the sum. */
  readonly memoryBytes: Readonly<Record<'all' | 'base' | 'objects' | 'watchers' | 'window', number>>;
  /** Sent to clients each second. */
  readonly networkBytes: number;
  readonly deliveries: number;
  /** Writes to each follower's socket a second, and events in each of them. */
  readonly rounds: number;
  readonly eventsPerRound: number;
  /** The time that one round to all followers takes: half of it is the least that the middle follower waits. */
  readonly roundMs: number;
  /** Seconds of CPU to load the objects at the start. */
  readonly loadSeconds: number;
}

/** What there is of each. */
export interface Machine {
  /** Cores that one server can use: its event loop is one, and garbage collection has others. */
  readonly cores: number;
  readonly memoryBytes: number;
  readonly networkBytes: number;
  /** Writes a second that the store takes. */
  readonly storeWrites: number;
}

/** What is used up first, and how much of everything is used: 1 is all of it. */
export interface Limits {
  readonly first: keyof Machine;
  readonly shares: Readonly<Record<keyof Machine, number>>;
}

const MICROS = 1e6;
/** As `flush-pacer.ts`: after a round it rests for as long as the round took, but no longer than these. */
const MAX_REST_SECONDS = 0.05;
const MAX_REST_SECONDS_PER_WATCHER = 0.0001;
/** As `change-window.ts`: the window doubles until its oldest change is this old. */
const WINDOW_SECONDS = 75;
const MIN_WINDOW = 100;
const MAX_WINDOW = 102_400;
const MAX_WINDOW_BYTES = 256 * 2 ** 20;
/** More writes a second than this share commits and turns of the event loop, and fewer still when it is busy. */
const MAX_TURNS = 500;
/** The frame of a watch event around its object: `{"type":"MODIFIED","object":...}` and HTTP's own. */
const EVENT_BYTES = 45;

/** Throws a `RangeError` that names the part of the workload that cannot be. */
export function predict(workload: Workload, costs: UnitCosts): Prediction {
  checkWorkload(workload);
  const { objects, objectBytes, transport, followers, selectors, writes } = workload;
  const { write = 'replace', ownShare = 1, lists = 0, objectsPerList = objects } = workload;
  const selected = workload.selectedPerWrite ?? Math.min(1, selectors);
  const { flush, event } = costs.delivery[transport];
  const eventMicros = sized(event, objectBytes);
  const { rounds, roundMs } = pace(followers, writes, flush, eventMicros);
  const perWrite = sized(write === 'patch' ? costs.patchMicros : costs.writeMicros, objectBytes);
  const own = writes * ownShare;
  const others = {
    idle: ((followers + selectors) * costs.idleWatcherMicros) / MICROS,
    followers: (followers * (rounds * flush + writes * eventMicros)) / MICROS,
    selectors: (writes * selected * (flush + eventMicros)) / MICROS,
    lists: (lists * sized(costs.listMicros, objectsPerList * objectBytes)) / MICROS,
  };
  const ownCores = writeCores({ writes: own, each: perWrite, alone: costs.aloneMicros, others: withSum(others).all });
  const cores = withSum({ ...others, writes: ownCores + ((writes - own) * costs.applyMicros) / MICROS });
  const deliveries = writes * (followers + selected);
  const answers = own * objectBytes + lists * objectsPerList * objectBytes;
  return {
    cores,
    memoryBytes: memoryOf(workload, costs),
    networkBytes: deliveries * (objectBytes + EVENT_BYTES) + answers,
    deliveries,
    rounds,
    eventsPerRound: rounds === 0 ? 0 : writes / rounds,
    roundMs,
    loadSeconds: (objects * costs.loadMicros) / MICROS,
  };
}

/** Which part of the machine is used up first. */
export function limitsOf({ cores, memoryBytes, networkBytes }: Prediction, writes: number, machine: Machine): Limits {
  const shares = {
    cores: cores.all / machine.cores,
    memoryBytes: memoryBytes.all / machine.memoryBytes,
    networkBytes: networkBytes / machine.networkBytes,
    storeWrites: writes / machine.storeWrites,
  };
  let first: keyof Machine = 'cores';
  for (const name of ['memoryBytes', 'networkBytes', 'storeWrites'] as const) {
    if (shares[name] > shares[first]) first = name;
  }
  return { first, shares };
}

/** Is this good enough? */
export type Accept = (prediction: Prediction, workload: Workload) => boolean;

/** Accepts what takes no more than a share of the machine: 0.7 leaves room for bad moments. */
export function within(machine: Machine, share = 0.7): Accept {
  return (prediction, { writes }) => {
    const { first, shares } = limitsOf(prediction, writes, machine);
    return shares[first] <= share;
  };
}

/** The most of one number that is accepted, with the rest of the workload as it is. 0: not even one. */
export function mostOf(
  name: 'followers' | 'lists' | 'objects' | 'selectors' | 'writes',
  workload: Workload,
  costs: UnitCosts,
  accept: Accept,
): number {
  const fits = (count: number): boolean => {
    const wanted = { ...workload, [name]: count };
    return accept(predict(wanted, costs), wanted);
  };
  if (!fits(1)) return 0;
  let [least, most] = [1, 2];
  for (; most < 2 ** 40 && fits(most); most *= 2) least = most;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle;
  }
  return least;
}

function sized({ fixed, perByte }: SizedCost, bytes: number): number {
  return fixed + perByte * bytes;
}

function withSum<K extends string>(parts: Readonly<Record<K, number>>): Readonly<Record<K | 'all', number>> {
  let all = 0;
  for (const name in parts) all += parts[name];
  return { ...parts, all };
}

/**
 * How often followers are written to. While there is time, each write of an object is a round; then the rests between rounds
 * make them fewer and fuller.
 */
function pace(
  followers: number,
  writes: number,
  flush: number,
  event: number,
): { readonly rounds: number; readonly roundMs: number } {
  if (followers === 0 || writes === 0) return { rounds: 0, roundMs: 0 };
  // Seconds of the event loop: what a round costs to begin, and what all events of a second cost.
  const perRound = (followers * flush) / MICROS;
  const events = (followers * event * writes) / MICROS;
  const maxRest = Math.min(MAX_REST_SECONDS, followers * MAX_REST_SECONDS_PER_WATCHER);
  // Rounds and rests fill the second. A rest is as long as its round, or the longest that is allowed.
  const asLong = Math.max(0, 1 - 2 * events) / (2 * perRound);
  const longest = Math.max(0, 1 - events) / (perRound + maxRest);
  const rounds = Math.max(Math.min(writes, Math.max(asLong, longest)), Number.MIN_VALUE);
  return { rounds, roundMs: (perRound + events / rounds) * 1000 };
}

interface WriteLoad {
  readonly writes: number;
  /** In microseconds; `alone` is what it takes more by itself. */
  readonly each: number;
  readonly alone: number;
  /** Cores that everything else takes. */
  readonly others: number;
}

/** A loop with nothing else to do takes each write by itself; a busy one takes together what has arrived. */
function writeCores({ writes, each, alone, others }: WriteLoad): number {
  const together = (writes * each) / MICROS;
  const idle = Math.max(0, 1 - others - together);
  return together + (Math.min(writes, MAX_TURNS) * idle * alone) / MICROS;
}

function memoryOf(workload: Workload, costs: UnitCosts): Prediction['memoryBytes'] {
  const {
    objects,
    objectBytes,
    transport,
    followers,
    selectors,
    writes,
    seconds = Number.POSITIVE_INFINITY,
  } = workload;
  const watchers = followers + selectors;
  const connections = Math.ceil(watchers / (workload.watchesPerConnection ?? (transport === 'h1' ? 1 : 100)));
  const perChange = costs.changeBytes + sized(costs.objectBytes, objectBytes);
  let capacity = MIN_WINDOW;
  while (capacity < writes * WINDOW_SECONDS && capacity < MAX_WINDOW) capacity *= 2;
  const changes = writes === 0 ? 0 : Math.min(capacity, writes * seconds);
  return withSum({
    base: costs.baseBytes,
    objects: objects * sized(costs.objectBytes, objectBytes),
    watchers: connections * costs.connectionBytes[transport] + watchers * costs.watcherBytes[transport],
    window: Math.min(MAX_WINDOW_BYTES, changes * perChange),
  });
}

function checkWorkload(workload: Workload): void {
  for (const [name, value] of Object.entries(workload)) {
    if (typeof value === 'number' && !(value >= 0)) throw new RangeError(`${name} must be 0 or more, not ${value}`);
  }
  if ((workload.ownShare ?? 1) > 1) throw new RangeError('ownShare must be 1 or less');
  if (workload.watchesPerConnection === 0) throw new RangeError('watchesPerConnection must be 1 or more');
}
