/** The objects of another kind that admission reads, parsed once each. */

import type { KubeObject, ObjectLookup, ObjectReader } from '@listwatch/rules/internal';
import type { CacheGeneration, GenerationListener } from '../../cache/cache-generation.ts';
import { parseObject } from '../../cache/cached-object.ts';
import type { ObjectChange } from '../../cache/object-tree.ts';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import { justPause, LoopPace } from '../../contract/pause.ts';

/** Parses an object when it is asked for. Throws the 429 as long as the cache was never filled. */
export function objectLookup(cache: ResourceCache): ObjectLookup {
  return (namespace, name) => {
    const generation = cache.generation ?? cache.requireReady();
    const found = generation.get(namespace === '' ? name : `${namespace}/${name}`);
    return found && parseObject(found.bytes);
  };
}

/** Parses the objects of a namespace one by one, and yields to the event loop in between. */
export async function* parsedObjects(cache: ResourceCache, namespace: string): AsyncGenerator<KubeObject, undefined> {
  const pace = new LoopPace(justPause);
  for (const { bytes } of (cache.generation ?? cache.requireReady()).snapshot().walk(`${namespace}/`)) {
    const rest = pace.step();
    if (rest !== undefined) await rest;
    yield parseObject(bytes);
  }
}

/**
 * Reads a cache. While the feed is lost it answers with the last known state, as the informers of kube-apiserver do. Throws
 * the 429 as long as the cache was never filled.
 */
export class KnownObjects implements ObjectReader {
  readonly #cache: ResourceCache;
  #parsed: ParsedGeneration | undefined;

  constructor(cache: ResourceCache) {
    this.#cache = cache;
  }

  get(namespace: string, name: string): KubeObject | undefined {
    return this.#current().namespaces.get(namespace)?.get(name);
  }

  list(namespace: string): readonly KubeObject[] {
    return this.#current().list(namespace);
  }

  #current(): ParsedGeneration {
    const { generation } = this.#cache;
    if (this.#parsed !== undefined && (generation === undefined || this.#parsed.generation === generation)) {
      return this.#parsed;
    }
    this.#parsed = new ParsedGeneration(generation ?? this.#cache.requireReady());
    return this.#parsed;
  }
}

/** The objects of one generation, kept up to date by its changes. */
class ParsedGeneration implements GenerationListener {
  readonly generation: CacheGeneration;
  readonly namespaces = new Map<string, Map<string, KubeObject>>();
  readonly #lists = new Map<string, readonly KubeObject[]>();

  constructor(generation: CacheGeneration) {
    this.generation = generation;
    for (const { bytes } of generation.snapshot().walk()) this.#set(parseObject(bytes));
    generation.listen(this);
  }

  list(namespace: string): readonly KubeObject[] {
    const objects = this.namespaces.get(namespace);
    if (objects === undefined) return NONE;
    const known = this.#lists.get(namespace) ?? [...objects.values()];
    this.#lists.set(namespace, known);
    return known;
  }

  changed({ previous, object }: ObjectChange): void {
    if (previous !== undefined) this.#remove(parseObject(previous.bytes));
    if (object !== undefined) this.#set(parseObject(object.bytes));
  }

  settled(): void {
    // The changes have been applied one by one.
  }

  ended(): void {
    // The next generation is parsed anew.
  }

  #set(object: KubeObject): void {
    const { namespace = '', name = '' } = object.metadata;
    const objects = this.namespaces.get(namespace) ?? new Map<string, KubeObject>();
    this.namespaces.set(namespace, objects.set(name, object));
    this.#lists.delete(namespace);
  }

  #remove({ metadata: { namespace = '', name = '' } }: KubeObject): void {
    const objects = this.namespaces.get(namespace);
    objects?.delete(name);
    if (objects?.size === 0) this.namespaces.delete(namespace);
    this.#lists.delete(namespace);
  }
}

const NONE: readonly KubeObject[] = [];
