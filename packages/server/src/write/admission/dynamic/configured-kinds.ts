/** Is any policy or webhook configured? */

import type { CacheGeneration } from '../../../cache/cache-generation.ts';
import type { ResourceCache } from '../../../cache/resource-cache.ts';

/** The API group of these kinds and of bindings. */
export const CONFIGURING_GROUP = 'admissionregistration.k8s.io';

/** The kinds that configure admission: without an object of these, nothing can match. A binding without its policy does nothing. */
export const CONFIGURING_KINDS = [
  'admissionregistration/v1.MutatingAdmissionPolicy',
  'admissionregistration/v1.MutatingWebhookConfiguration',
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  'admissionregistration/v1.ValidatingWebhookConfiguration',
] as const;

interface ReadCache {
  readonly cache: Pick<ResourceCache, 'generation'>;
  seen: CacheGeneration | undefined;
}

/** Looks at the caches of these kinds. */
export class ConfiguredKinds {
  readonly #caches: readonly ReadCache[];

  constructor(caches: readonly Pick<ResourceCache, 'generation'>[]) {
    this.#caches = caches.map((cache) => ({ cache, seen: undefined }));
  }

  /**
   * Are all caches filled, and empty? No for the first write after a cache was filled anew, so that the steps see it: while a feed is
   * lost they go by the objects that they saw last, and would go by removed ones.
   */
  areEmpty(): boolean {
    let areEmpty = true;
    for (const read of this.#caches) {
      const { generation } = read.cache;
      if (generation === undefined || generation !== read.seen || generation.size > 0) areEmpty = false;
      read.seen = generation;
    }
    return areEmpty;
  }
}
