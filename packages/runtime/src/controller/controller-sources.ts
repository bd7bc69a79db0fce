/** The informers of a controller, and how their changes become keys. */

import { type ApiObject, groupResourceText, type Resource } from '@listwatch/api';
import type { Informer } from '../informer/informer.ts';
import type { Registration } from '../informer/registration.ts';
import type { SharedInformers } from '../informer/shared-informers.ts';
import type { StoreChange } from '../reflector/store-change.ts';
import type { Store } from '../store/store.ts';
import type { ControllerConfig, MapContext, SourceSelection } from './controller-options.ts';
import { refersTo } from './owner-reference.ts';
import type { Predicate } from './predicate.ts';
import { keyText } from './reconcile-key.ts';
import { selectionTest } from './source-selection.ts';

/** Told of each key. `live`: something has changed now; otherwise it is a first list or a resync. */
export type KeyListener = (key: string, live: boolean) => void;

interface Source {
  readonly informer: Informer;
  readonly registration: Registration;
  /** May the cache have this object? */
  readonly selects: (object: ApiObject) => boolean;
  /** Does the cache keep objects as the server has them? */
  readonly isWhole: boolean;
}

/** What the sources report. */
export interface SourceEvents {
  readonly onKey: KeyListener;
  /** A cache has changed. */
  readonly onChange: (store: Store) => void;
  /** A mapper threw: its change leads to no reconcile. */
  readonly onMapperError: (error: unknown, resource: Resource, key: string) => void;
  /** A cache cannot be filled, for a reason that waiting hardly cures: the kind is not served, or may not be watched. */
  readonly onBlocked: (error: unknown, resource: Resource) => void;
}

/** What one informer of a controller follows. */
export interface FollowedResource {
  readonly resource: Resource;
  readonly selection: SourceSelection<ApiObject>;
}

/** The informers that a controller will ask for, so that they can be filled before it runs. */
export function followedBy<T extends ApiObject>(config: ControllerConfig<T>): readonly FollowedResource[] {
  const own = { resource: config.for, selection: config.selection };
  const others = [...config.owns, ...config.watches];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each selection is used with its own resource only
  return [own, ...others.map(({ resource, selection = {} }) => ({ resource, selection }))] as FollowedResource[];
}

/** All that a controller follows. */
export class ControllerSources<T extends ApiObject> {
  readonly store: Store<T>;
  readonly #informers: SharedInformers;
  readonly #events: SourceEvents;
  readonly #sources: Source[] = [];
  readonly #name: string;

  constructor(config: ControllerConfig<T>, informers: SharedInformers, events: SourceEvents) {
    this.#informers = informers;
    this.#events = events;
    this.#name = config.name;
    try {
      this.store = this.#followAll(config);
    } catch (error) {
      // Bad options of one source must not leave the watches of the others behind.
      void this.close();
      throw error;
    }
  }

  /**
   * The caches of a resource: several, when it is followed with several selections. With an object: those that have it or
   * may get it.
   */
  storesOf(resource: Resource, object?: ApiObject): readonly Store[] {
    const name = groupResourceText(resource);
    return this.#sources
      .filter(({ informer }) => groupResourceText(informer.resource) === name)
      .filter(
        ({ informer, selects }) =>
          object === undefined || selects(object) || informer.store.has(keyText(object.metadata)),
      )
      .map(({ informer }) => informer.store);
  }

  /** The cache of a resource, the first one when there are several. Throws a RangeError when there is none. */
  storeOf<S extends ApiObject>(resource: Resource<S>): Store<S> {
    const [store] = this.storesOf(resource);
    if (store === undefined) {
      throw new RangeError(`the controller ${this.#name} does not follow ${groupResourceText(resource)}`);
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the resource says what its objects are
    return store as unknown as Store<S>;
  }

  /** All that is followed. */
  get resources(): readonly Resource[] {
    return this.#sources.map(({ informer }) => informer.resource);
  }

  /** An object as the server has it, from a cache that keeps whole objects. */
  whole(resource: Resource, key: string): ApiObject | undefined {
    for (const { informer, isWhole } of this.#sources) {
      if (!isWhole || !isSameResource(informer.resource, resource)) continue;
      const found = informer.store.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Resolves when every cache is complete and every handler has been told of all that is in it. */
  async synced(): Promise<void> {
    const { onBlocked } = this.#events;
    await Promise.all(
      this.#sources.map(({ informer, registration }) => untilSynced(informer, registration, onBlocked)),
    );
  }

  /** Why a cache is not complete. */
  notSynced(): { readonly reason: string; readonly cause: unknown } | undefined {
    const late = this.#sources.filter(({ informer }) => !informer.hasSynced).map(({ informer }) => informer);
    const texts = late.map(
      ({ resource, status }) => `${groupResourceText(resource)}: ${status.reason ?? status.phase}`,
    );
    const cause = late.find(({ status }) => status.error !== undefined)?.status.error;
    return late.length === 0 ? undefined : { reason: texts.join('; '), cause };
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map(({ registration }) => registration()));
    await Promise.all(this.#sources.map(({ informer }) => informer.close()));
  }

  /** Gives the cache of the reconciled objects. */
  #followAll(config: ControllerConfig<T>): Store<T> {
    const own = config.for;
    const store = this.#follow(own, config.selection, config.predicate, (object) => [keyText(object.metadata)]);
    for (const { resource, everyOwner = false, predicate, selection } of config.owns) {
      this.#follow(resource, selection, predicate, (object) => ownersOf(object, own, everyOwner));
    }
    const context: MapContext = { store: (resource) => this.storeOf(resource) };
    for (const { resource, map, predicate, selection } of config.watches) {
      this.#follow(resource, selection, predicate, (object) => Array.from(map(object, context), keyText));
    }
    return store;
  }

  #follow<S extends ApiObject>(
    resource: Resource<S>,
    selection: SourceSelection<S> = {},
    predicate: Predicate<S> = () => true,
    keysOf: (object: S) => readonly string[],
  ): Store<S> {
    const informer = this.#informers.informer<S>(resource, { ...selection, syncTimeoutMs: 0 });
    const tell = (change: StoreChange<S>): void => {
      this.#events.onChange(informer.store);
      try {
        if (!predicate(change)) return;
        const live = isLive(change);
        for (const key of changedKeys(change, keysOf)) this.#events.onKey(key, live);
      } catch (error) {
        this.#events.onMapperError(error, resource, change.key);
      }
    };
    const registration = informer.on({ add: tell, update: tell, delete: tell });
    this.#sources.push({ informer, registration, selects: selectionTest(selection), isWhole: keepsWhole(selection) });
    return informer.store;
  }
}

/** An object that stops referring to another still leads to it. */
function changedKeys<S extends ApiObject>(
  change: StoreChange<S>,
  keysOf: (object: S) => readonly string[],
): Iterable<string> {
  const keys = keysOf(change.object);
  return change.type === 'update' ? new Set([...keys, ...keysOf(change.old)]) : keys;
}

function isSameResource(a: Resource, b: Resource): boolean {
  return a.group === b.group && a.version === b.version && a.plural === b.plural;
}

/** A projection or a transform leaves something out. */
export function keepsWhole<S extends ApiObject>({ projection, transform }: SourceSelection<S>): boolean {
  return projection !== 'metadata' && transform === undefined;
}

function isLive(change: StoreChange): boolean {
  if (change.type === 'update') return change.old !== change.object;
  return !change.initial;
}

function ownersOf({ metadata }: ApiObject, owner: Resource, everyOwner: boolean): readonly string[] {
  const references = (metadata.ownerReferences ?? []).filter(
    (reference) => (everyOwner || reference.controller === true) && refersTo(reference, owner),
  );
  const namespace = owner.namespaced ? metadata.namespace : undefined;
  return references.map(({ name }) => keyText({ namespace, name }));
}

/** A first list that failed is tried again by the informer; `synced` then stands for the next attempt. */
export async function untilFilled(informer: Informer, onBlocked: SourceEvents['onBlocked'] = () => {}): Promise<void> {
  while (!informer.hasSynced) {
    try {
      await informer.synced;
    } catch (error) {
      if (informer.status.phase === 'stopped') throw error;
      onBlocked(error, informer.resource);
    }
  }
}

async function untilSynced(
  informer: Informer,
  registration: Registration,
  onBlocked: SourceEvents['onBlocked'],
): Promise<void> {
  await untilFilled(informer, onBlocked);
  await registration.synced;
}
