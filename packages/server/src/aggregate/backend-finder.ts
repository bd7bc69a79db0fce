/** Finds the addresses of backends in the caches of Services and EndpointSlices. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { GenerationListener } from '../cache/cache-generation.ts';
import { parseObject } from '../cache/cached-object.ts';
import type { ObjectChange } from '../cache/object-tree.ts';
import type { ResourceCache } from '../cache/resource-cache.ts';
import type { ServiceReference } from './api-service-view.ts';
import { type BackendPlace, backendPlace } from './backend-address.ts';

const SERVICE_LABEL = 'kubernetes.io/service-name';

/** Reads the caches when it is asked, and parses only what belongs to the Service. */
export class BackendFinder {
  readonly #services: ResourceCache;
  readonly #slices: ResourceCache;
  /** By `namespace/name`, then by port: requests come often, and a namespace may have thousands of slices. */
  readonly #known = new Map<string, Map<number, BackendPlace>>();
  /** A Service, or an EndpointSlice of it, has changed. */
  onChange: ((namespace: string, name: string) => void) | undefined;

  constructor(services: ResourceCache, slices: ResourceCache) {
    this.#services = services;
    this.#slices = slices;
    const forget = (): void => this.#known.clear();
    follow(services, forget, ({ object, previous }) => {
      const found = object ?? previous;
      if (found !== undefined) this.#changed(found.namespace, found.name);
    });
    follow(slices, forget, ({ object, previous }) => {
      for (const one of [previous, object]) {
        const name = one?.labels?.[SERVICE_LABEL];
        if (one !== undefined && name !== undefined) this.#changed(one.namespace, name);
      }
    });
  }

  /** Throws the 429 while the caches were never filled. */
  find(reference: ServiceReference): BackendPlace {
    const { namespace, name, port } = reference;
    const places = this.#known.get(`${namespace}/${name}`) ?? new Map<number, BackendPlace>();
    const known = places.get(port);
    if (known !== undefined) return known;
    const service = (this.#services.generation ?? this.#services.requireReady()).get(`${namespace}/${name}`);
    const place = backendPlace(reference, service && parseObject(service.bytes), this.#slicesOf(namespace, name));
    this.#known.set(`${namespace}/${name}`, places.set(port, place));
    return place;
  }

  #changed(namespace: string, name: string): void {
    this.#known.delete(`${namespace}/${name}`);
    this.onChange?.(namespace, name);
  }

  #slicesOf(namespace: string, name: string): readonly KubeObject[] {
    const found: KubeObject[] = [];
    for (const { labels, bytes } of (this.#slices.generation ?? this.#slices.requireReady())
      .snapshot()
      .walk(`${namespace}/`)) {
      if (labels?.[SERVICE_LABEL] === name) found.push(parseObject(bytes));
    }
    return found;
  }
}

function follow(cache: ResourceCache, begun: () => void, changed: (change: ObjectChange) => void): void {
  const before = cache.onGeneration;
  const listener: GenerationListener = { changed, settled: () => undefined, ended: () => undefined };
  cache.onGeneration = (generation) => {
    before?.(generation);
    begun();
    generation.listen(listener);
  };
}
