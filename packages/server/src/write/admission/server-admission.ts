/** The admission of one server: its plugins read the server's caches and its store. */

import { type AdmissionPlugin, builtInKind, type KubeObject } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import type { Entry } from '@listwatch/storage';
import type { ResourceCache } from '../../cache/resource-cache.ts';
import type { Admission } from '../../contract/admission.ts';
import { type DynamicSteps, NO_STEPS } from '../../contract/dynamic-admission.ts';
import type { ObjectStore } from '../../contract/verb.ts';
import { storedObjectKey } from '../../stored/requested-key.ts';
import { servedBytes, storedObject } from '../../stored/stored-object.ts';
import { type AdmissionParts, admissionChain, admissionPlugins } from './admission-chain.ts';
import type { AdmissionTimes } from './admission-times.ts';
import { cachedObjects, podsBehind } from './cached-objects.ts';
import { dynamicPasses } from './dynamic/dynamic-passes.ts';
import { KnownObjects, objectLookup, parsedObjects } from './known-objects.ts';
import { Lifecycle, type LifecycleParts } from './lifecycle.ts';
import type { QuotaCharges } from './quota-charges.ts';
import type { ServiceAddressing } from './service-admission.ts';

/** The sources and the authorizer of the plugins. */
export interface ServerAdmissionOptions
  extends Pick<AdmissionParts, 'authorizer' | 'granting'>,
    Pick<Admission, 'requireCreate'>,
    Pick<LifecycleParts, 'definitionGuard'> {
  readonly store: ObjectStore;
  /** The cache of a kind. */
  readonly cacheOf: (type: TypeName) => ResourceCache;
  readonly quotas: QuotaCharges;
  readonly services: ServiceAddressing;
  /** Further plugins, after the others. */
  readonly plugins: readonly AdmissionPlugin[];
  /** Policies and webhooks. Default: none. */
  readonly steps?: DynamicSteps | undefined;
  /** Default: nothing is timed. */
  readonly times?: AdmissionTimes | undefined;
}

/** Creates the admission of a server. */
export function serverAdmission(options: ServerAdmissionOptions): Admission {
  const { store, cacheOf, authorizer, granting, quotas, services, plugins, requireCreate, definitionGuard, times } =
    options;
  const lifecycle = new Lifecycle({ store, definitionGuard });
  const own = admissionPlugins({
    objects: (type) => new KnownObjects(cacheOf(type)),
    lookup: (type) => objectLookup(cacheOf(type)),
    storedNamespace: (name) => storedNamespace(store, name),
    podsIn: (namespace) => parsedObjects(cacheOf('core/v1.Pod'), namespace),
    authorizer,
    granting,
  });
  return {
    ...dynamicPasses(admissionChain([...own, ...plugins], times), options.steps ?? NO_STEPS, times),
    requirePlace: (call, object, dryRun) => lifecycle.requirePlace(call, object, dryRun),
    allocate: async (request) => services.allocate(request),
    removed: async (definition, entry, revision) => {
      if (definition.data.type === 'core/v1.Service') await services.removed(entry, revision);
    },
    charge: (request, charged) => quotas.charge(request, charged),
    requireCreate,
    reads: {
      cached: (question) => cachedObjects(cacheOf, question),
      namespace: (name) => namespaceBytes(store, name),
      pods: (namespace, after) => podsBehind(cacheOf('core/v1.Pod'), namespace, after),
      authorize: (attributes) => authorizer.authorize(attributes),
      granting,
      hasQuotas: (namespace) => quotas.hasQuotas(namespace),
    },
  };
}

/** A namespace in the store; undefined when there is none. */
export async function storedNamespace(store: ObjectStore, name: string): Promise<KubeObject | undefined> {
  const entry = await namespaceEntry(store, name);
  return entry && storedObject(builtInKind('core/v1.Namespace'), entry);
}

async function namespaceBytes(store: ObjectStore, name: string): Promise<Uint8Array | undefined> {
  const entry = await namespaceEntry(store, name);
  return entry && servedBytes(builtInKind('core/v1.Namespace'), entry);
}

async function namespaceEntry({ engine }: ObjectStore, name: string): Promise<Entry | undefined> {
  return (await engine.get(storedObjectKey(builtInKind('core/v1.Namespace'), { namespace: '', name }))).entry;
}
