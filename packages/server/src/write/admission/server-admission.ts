/** The admission of one server: its plugins read the server's caches and its store. */

import { type AdmissionPlugin, builtInKind, type KubeObject } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { Admission } from '../../contract/admission.ts';
import type { ObjectStore } from '../../contract/verb.ts';
import { objectKey } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';
import { type AdmissionParts, admissionChain, admissionPlugins } from './admission-chain.ts';
import { KnownObjects, objectLookup, parsedObjects } from './known-objects.ts';
import { Lifecycle, type LifecycleParts } from './lifecycle.ts';
import type { QuotaCharges } from './quota-charges.ts';
import type { ServiceAddressing } from './service-admission.ts';

/** Where the plugins read, and whom they ask. */
export interface ServerAdmissionOptions
  extends Pick<AdmissionParts, 'authorizer'>,
    Pick<Admission, 'requireCreate'>,
    Pick<LifecycleParts, 'definitionGuard'> {
  readonly store: ObjectStore;
  /** The cache of a kind. */
  readonly cacheOf: (type: TypeName) => ResourceCache;
  readonly quotas: QuotaCharges;
  readonly services: Pick<ServiceAddressing, 'allocate'>;
  /** Further plugins, after the others. */
  readonly plugins: readonly AdmissionPlugin[];
}

/** Puts it together. */
export function serverAdmission(options: ServerAdmissionOptions): Admission {
  const { store, cacheOf, authorizer, quotas, services, plugins, requireCreate, definitionGuard } = options;
  const lifecycle = new Lifecycle({ store, definitionGuard });
  const own = admissionPlugins({
    objects: (type) => new KnownObjects(cacheOf(type)),
    lookup: (type) => objectLookup(cacheOf(type)),
    storedNamespace: (name) => storedNamespace(store, name),
    podsIn: (namespace) => parsedObjects(cacheOf('core/v1.Pod'), namespace),
    authorizer,
  });
  return {
    ...admissionChain([...own, ...plugins]),
    requirePlace: (call, object, dryRun) => lifecycle.requirePlace(call, object, dryRun),
    allocate: (request) => services.allocate(request),
    charge: (request, charged) => quotas.charge(request, charged),
    requireCreate,
  };
}

async function storedNamespace({ engine }: ObjectStore, name: string): Promise<KubeObject | undefined> {
  const definition = builtInKind('core/v1.Namespace');
  const { entry } = await engine.get(objectKey(definition, { namespace: '', name }));
  return entry && storedObject(definition, entry);
}
