/** The chain of admission of one server: its plugins read the server's caches and its store. */

import { builtInKind, type KubeObject } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { StorageEngine } from '@listwatch/storage';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import { objectKey } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';
import { type AdmissionParts, admissionChain, admissionPlugins } from './admission-chain.ts';
import { KnownObjects, objectLookup, parsedObjects } from './known-objects.ts';

/** Where the plugins read, and whom they ask. */
export interface ServerAdmissionOptions extends Pick<AdmissionParts, 'authorizer' | 'quotas'> {
  readonly engine: StorageEngine;
  /** The cache of a kind. */
  readonly cacheOf: (type: TypeName) => ResourceCache;
}

/** Makes the chain. */
export function serverAdmission(options: ServerAdmissionOptions): ReturnType<typeof admissionChain> {
  const { engine, cacheOf, authorizer, quotas } = options;
  const plugins = admissionPlugins({
    objects: (type) => new KnownObjects(cacheOf(type)),
    lookup: (type) => objectLookup(cacheOf(type)),
    storedNamespace: (name) => storedNamespace(engine, name),
    podsIn: (namespace) => parsedObjects(cacheOf('core/v1.Pod'), namespace),
    authorizer,
    quotas,
  });
  return admissionChain(plugins);
}

async function storedNamespace(engine: StorageEngine, name: string): Promise<KubeObject | undefined> {
  const definition = builtInKind('core/v1.Namespace');
  const { entry } = await engine.get(objectKey(definition, { namespace: '', name }));
  return entry && storedObject(definition, entry);
}
