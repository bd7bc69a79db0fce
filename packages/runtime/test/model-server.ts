/** A server in a test's hands: a history, its compaction, and everything that can go wrong on the way. */

import {
  ANNOTATION,
  type ApiObject,
  expired,
  expiredContinue,
  fieldForbidden,
  invalid,
  type ListMeta,
  type Resource,
  tooLargeResourceVersion,
  type WatchEvent,
} from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import type { DecodeOptions, ListPage, ListQuery, WatchQuery, WatchStream } from '@listwatch/client';
import { TransportError } from '@listwatch/client';
import type { WatchedCluster } from '../src/watched-cluster.ts';
import { type Thing, thing, things } from './model-object.ts';
import { ModelWatch } from './model-watch.ts';

interface LoggedChange {
  readonly revision: number;
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly key: string;
  readonly object: Thing;
}

/** What the model looks at. */
export type ModelQuery = Omit<ListQuery<never>, 'decode'> & Omit<WatchQuery<never>, 'decode'>;

interface ModelPage {
  readonly number: number;
  readonly metadata: ListMeta;
  readonly objects: readonly Thing[];
}

/** A request as it came. */
export interface ModelRequest {
  /** `check`: a list of one object, before a watch resumes. */
  readonly verb: 'check' | 'list' | 'page' | 'stream' | 'watch';
  readonly query: ModelQuery;
  readonly at: number;
}

/** Decides what a request meets: an error to throw, or nothing. */
export type Fault = (request: ModelRequest) => unknown;

export class ModelServer implements WatchedCluster {
  readonly clock: FakeClock;
  readonly server: string = 'https://model';
  readonly requests: ModelRequest[] = [];
  readonly watches = new Set<ModelWatch>();
  /** Looked at before each request; what it returns is thrown. */
  fault: Fault | undefined;
  /** `ignored`: an old server, which sends everything and no marker. */
  streaming: 'done' | 'ignored' | 'refused' = 'done';
  dropMarkers = false;
  /** What the marker's annotation says. */
  markerValue = 'true';
  /** Does a list at '0' ignore its limit, as one from a cache does? */
  cached = true;
  /** How many revisions a list at '0' is behind. */
  lag = 0;
  /** Is a 410 an answer, or an event of a stream that was opened? */
  goneInStream = false;
  /** False: a watch is taken and never answered. */
  answers = true;
  /** Runs between two pages. */
  betweenPages: (() => void) | undefined;
  /** A stalled stream is given up by the client after this. */
  heartbeatMs = 90_000;
  readonly #log: LoggedChange[] = [];
  readonly #state = new Map<string, Thing>();
  #revision = 10;
  #compacted = 0;
  #uids = 0;
  #writes = 0;

  constructor(clock: FakeClock = new FakeClock()) {
    this.clock = clock;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The oldest state that can be restored. */
  get firstRevision(): number {
    return Math.max(this.#compacted, 1);
  }

  /** The keys and versions of everything there is. */
  get state(): ReadonlyMap<string, Thing> {
    return this.#state;
  }

  put(key: string, size = 0): Thing {
    const before = this.state.get(key);
    this.#revision += 1;
    const uid = before?.metadata.uid ?? `uid-${++this.#uids}`;
    const object = this.#stamped(thing(key, this.#revision, size, uid));
    this.#commit({ revision: this.#revision, type: before === undefined ? 'ADDED' : 'MODIFIED', key, object });
    return object;
  }

  delete(key: string): void {
    const before = this.state.get(key);
    if (before === undefined) return;
    this.#revision += 1;
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(this.#revision) } };
    this.#commit({ revision: this.#revision, type: 'DELETED', key, object });
  }

  /** Other resources move the revision too. */
  tick(by = 1): void {
    this.#revision += by;
  }

  /** Forgets the history up to and including `revision`. */
  compact(revision: number = this.#revision): void {
    this.#compacted = Math.max(this.#compacted, revision);
  }

  /** How often the server has been restored or replaced. */
  restores = 0;

  /** Another, empty server under the same address, whose versions begin at `revision`. */
  replace(revision = 3): void {
    this.restores += 1;
    this.#log.length = 0;
    this.#state.clear();
    this.#revision = revision;
    this.#compacted = revision;
    this.endWatches();
  }

  /** Back to the state of `revision`, as from a backup. Versions from there on are given again, to other changes. */
  restore(revision: number): void {
    this.restores += 1;
    const state = new Map(this.#stateAt(revision));
    this.#log.splice(0, this.#log.length, ...this.#log.filter((change) => change.revision <= revision));
    this.#state.clear();
    for (const [key, object] of state) this.#state.set(key, object);
    this.#revision = revision;
    this.#compacted = Math.min(this.#compacted, revision);
    this.cutWatches();
  }

  bookmark(version: number | string = this.#revision): void {
    this.broadcast(bookmarkOf(version));
  }

  broadcast(event: WatchEvent<Thing>): void {
    for (const watch of this.watches) watch.send(event);
  }

  endWatches(): void {
    for (const watch of Array.from(this.watches)) watch.end();
  }

  cutWatches(error?: unknown): void {
    for (const watch of Array.from(this.watches)) watch.break(error);
  }

  /** Half-open: nothing comes any more; the client notices after its heartbeat. */
  silenceWatches(): void {
    for (const watch of this.watches) {
      if (watch.silent) continue;
      watch.silent = true;
      this.clock.after(this.heartbeatMs, () => watch.break(new TransportError('IDLE_TIMEOUT', 'no bookmark came')));
    }
  }

  /** `fault` for the next `times` requests of a verb. */
  failNext(verb: ModelRequest['verb'], error: unknown, times = 1): void {
    let left = times;
    const before = this.fault;
    this.fault = (request) => {
      if (request.verb === verb && left > 0) {
        left -= 1;
        return error;
      }
      return before?.(request);
    };
  }

  /** Requests of some verbs, by default all but checks, as `verb:version/limit`. */
  seen(...verbs: readonly ModelRequest['verb'][]): readonly string[] {
    return this.requests
      .filter(({ verb }) => (verbs.length === 0 ? verb !== 'check' : verbs.includes(verb)))
      .map(
        ({ verb, query }) =>
          `${verb}:${query.resourceVersion ?? ''}${query.limit === undefined ? '' : `/${query.limit}`}`,
      );
  }

  async *pages<T extends ApiObject>(_resource: Resource<T>, query: ListQuery<T> = {}): AsyncGenerator<ListPage<T>> {
    for await (const { number, metadata, objects } of this.#pages(query)) {
      yield pageOf(number, metadata, objects, (object) => copyOf(object, query));
    }
  }

  watch<T extends ApiObject>(_resource: Resource<T>, query: WatchQuery<T> = {}): WatchStream<T> {
    const watch = new ModelWatch(
      query,
      (opening) => this.#open(opening),
      (closing) => this.watches.delete(closing),
    );
    return {
      get opened() {
        return watch.opened;
      },
      async *[Symbol.asyncIterator]() {
        for await (const event of watch) {
          if (event.type === 'BOOKMARK' || event.type === 'ERROR') yield event;
          else yield { type: event.type, object: copyOf(event.object, query) };
        }
      },
      [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
    };
  }

  async *#pages(query: ModelQuery): AsyncGenerator<ModelPage> {
    await Promise.resolve();
    this.#request(query.limit === 1 && query.projection === 'metadata' ? 'check' : 'list', query);
    const wanted = query.resourceVersion ?? '';
    const isExact = query.resourceVersionMatch === 'Exact';
    if (isExact && Number(wanted) < this.#compacted) throw expired('the version is too old');
    if (wanted !== '' && Number(wanted) > this.#revision) {
      throw tooLargeResourceVersion(BigInt(wanted), BigInt(this.#revision));
    }
    const latest = wanted === '0' ? Math.max(this.#compacted, this.#revision - this.lag) : this.#revision;
    const revision = isExact ? Number(wanted) : latest;
    const name = /metadata\.name=(.*)/u.exec(String(query.fieldSelector ?? ''))?.[1];
    const items = this.#select(this.#stateAt(revision), query.namespace).filter(
      ({ metadata }) => name === undefined || metadata.name === name,
    );
    const whole = query.limit === undefined || query.limit === 0 || (wanted === '0' && this.cached);
    const size = whole ? Math.max(items.length, 1) : (query.limit ?? 1);
    for (let [start, number] = [0, 1]; start < Math.max(items.length, 1); start += size, number += 1) {
      if (number > 1) {
        this.betweenPages?.();
        await Promise.resolve();
        query.signal?.throwIfAborted();
        this.#request('page', query);
        if (revision < this.#compacted) throw expiredContinue();
      }
      const metadata = {
        resourceVersion: String(revision),
        ...(start + size < items.length ? { continue: 'more' } : {}),
      };
      yield { number, metadata, objects: items.slice(start, start + size) };
    }
  }

  /** As a real server notes who wrote when. */
  #stamped(object: Thing): Thing {
    this.#writes += 1;
    const managedFields = [{ manager: 'model', time: `write ${this.#writes}` }];
    return { ...object, metadata: { ...object.metadata, managedFields } };
  }

  #request(verb: ModelRequest['verb'], query: ModelQuery): void {
    const request = { verb, query, at: this.clock.now() };
    this.requests.push(request);
    const error = this.fault?.(request);
    if (error !== undefined) throw error;
  }

  #open(watch: ModelWatch): void {
    const { query } = watch;
    const stream = query.sendInitialEvents === true;
    this.#request(stream ? 'stream' : 'watch', query);
    if (!this.answers) return;
    const wanted = Number(query.resourceVersion ?? '');
    if (stream && this.streaming === 'refused')
      throw invalid(things, '', [
        fieldForbidden('sendInitialEvents', 'sendInitialEvents is forbidden for watch unless the feature is enabled'),
      ]);
    if (stream && wanted > this.#revision) throw tooLargeResourceVersion(BigInt(wanted), BigInt(this.#revision));
    if (!stream && wanted > 0 && wanted < this.#compacted) {
      const error = expired(`too old resource version: ${wanted} (${this.#compacted})`);
      if (!this.goneInStream) throw error;
      watch.opened = true;
      watch.send({ type: 'ERROR', object: error.status });
      return;
    }
    watch.opened = true;
    this.watches.add(watch);
    const until = query.timeoutSeconds;
    if (until !== undefined) {
      watch.onClosed = this.clock.after(until * 1000, () => watch.end());
    }
    if (stream || wanted === 0) this.#sendInitial(watch, query);
    else for (const change of this.#log) if (change.revision > wanted) this.#tell(watch, change);
  }

  #sendInitial(watch: ModelWatch, query: ModelQuery): void {
    const any = query.resourceVersion === '0';
    const revision = any ? Math.max(this.#compacted, this.#revision - this.lag) : this.#revision;
    // In the order of the keys, not of the versions.
    for (const object of this.#select(this.#stateAt(revision), query.namespace)) watch.send({ type: 'ADDED', object });
    if (query.sendInitialEvents === true && this.streaming === 'done' && !this.dropMarkers) {
      watch.send(bookmarkOf(revision, { [ANNOTATION.initialEventsEnd]: this.markerValue }));
    }
    for (const change of this.#log) if (change.revision > revision) this.#tell(watch, change);
  }

  #commit(change: LoggedChange): void {
    this.#log.push(change);
    if (change.type === 'DELETED') this.#state.delete(change.key);
    else this.#state.set(change.key, change.object);
    for (const watch of this.watches) this.#tell(watch, change);
  }

  #tell(watch: ModelWatch, { type, object, revision }: LoggedChange): void {
    const { namespace, resourceVersion } = watch.query;
    // A watch from a version that is still to come hears nothing until then, as on kube-apiserver.
    if (revision <= Number(resourceVersion ?? '')) return;
    if (namespace === undefined || object.metadata.namespace === namespace) watch.send({ type, object });
  }

  #select(state: ReadonlyMap<string, Thing>, namespace: string | undefined): readonly Thing[] {
    const keys = [...state.keys()].toSorted();
    const objects = keys.flatMap((key) => state.get(key) ?? []);
    return namespace === undefined ? objects : objects.filter(({ metadata }) => metadata.namespace === namespace);
  }

  #stateAt(revision: number): ReadonlyMap<string, Thing> {
    if (revision === this.#revision) return this.#state;
    const state = new Map<string, Thing>();
    for (const change of this.#log) {
      if (change.revision > revision) break;
      if (change.type === 'DELETED') state.delete(change.key);
      else state.set(change.key, change.object);
    }
    return state;
  }
}

function bookmarkOf(version: number | string, annotations?: Readonly<Record<string, string>>): WatchEvent<Thing> {
  const metadata = { resourceVersion: String(version), ...(annotations === undefined ? {} : { annotations }) };
  return { type: 'BOOKMARK', object: { kind: 'Thing', apiVersion: 'example.org/v1', metadata } };
}

/** Through JSON: each reader gets its own, as from a wire. */
function copyOf<T>(object: Thing, { decode }: DecodeOptions<T>): T {
  const text = JSON.stringify(object);
  if (decode === undefined) return JSON.parse(text);
  return (typeof decode === 'function' ? decode : decode.one)(Buffer.from(text));
}

function pageOf<T extends ApiObject>(
  number: number,
  metadata: ListMeta,
  objects: readonly Thing[],
  decode: (object: Thing) => T,
): ListPage<T> {
  return {
    number,
    metadata,
    items: async () => objects.map(decode),
    async *[Symbol.asyncIterator]() {
      for (const object of objects) yield decode(object);
    },
  };
}
