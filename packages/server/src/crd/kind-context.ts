/** The context for the verbs of a kind: a custom kind may be stored in another version than it is served in. */

import { FormEngine } from '../cache/form-engine.ts';
import type { VerbContext } from '../contract/verb.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import type { CacheSet } from '../watch/cache-set.ts';

const contexts = new WeakMap<ResourceDefinition, VerbContext>();

/** The same for all requests of a kind. Built-in kinds have that of the whole server. */
export function kindContext(whole: VerbContext, caches: CacheSet, definition: ResourceDefinition): VerbContext {
  const { form } = definition;
  if (form === undefined) return whole;
  const known = contexts.get(definition);
  if (known !== undefined) return known;
  const engine = new FormEngine(whole.engine, form, caches.kind(definition).cache);
  const own: VerbContext = { ...whole, engine, whole };
  const made = form.isStorage
    ? own
    : { ...own, written: undefined, readBack: (value: Uint8Array, at: bigint) => engine.readBack(value, at) };
  contexts.set(definition, made);
  return made;
}
