/** Creates the parts that serve custom kinds: the kinds, their OpenAPI documents and the controller of definitions. */

import { builtInKind, isCaBundle } from '@listwatch/rules/internal';
import { celRules, type TypeName } from '@listwatch/schema';
import type { Clock, StorageEngine } from '@listwatch/storage';
import type { InProcessWebhooks } from '../contract/in-process-webhooks.ts';
import type { LiveDiscovery } from '../discovery/discovery.ts';
import type { CustomDefinition } from '../kinds/crd/custom-definition.ts';
import type { ResourceRegistry } from '../kinds/resource-registry.ts';
import { storedObjectKey } from '../stored/requested-key.ts';
import type { StorageCaches } from '../watch/cache-set.ts';
import { KnownObjects } from '../write/admission/known-objects.ts';
import { ApiServices } from './api-services.ts';
import { CustomDocuments } from './custom-documents.ts';
import { CustomKinds } from './custom-kinds.ts';
import { DefinitionController } from './definition-controller.ts';
import { serviceResolver } from './service-resolver.ts';
import type { ResolveService } from './webhook-call.ts';
import { webhookConversion } from './webhook-conversion.ts';
import { type ConvertObjects, webhookForm } from './webhook-form.ts';

/** The parts of the server that custom kinds need. */
export interface ServeCustomKindsParts {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly registry: ResourceRegistry;
  readonly caches: StorageCaches;
  readonly discovery: LiveDiscovery;
  readonly newUid: () => string;
  readonly onError: (error: unknown) => void;
  readonly inProcess: InProcessWebhooks | undefined;
}

/** The parts that the server uses. */
export interface ServedCustomKinds {
  readonly kinds: CustomKinds;
  readonly documents: CustomDocuments;
  readonly controller: DefinitionController;
  /** Finds the Services of webhooks, those of admission too. */
  readonly resolveService: ResolveService;
  readonly apiServices: Pick<ApiServices, 'removed'>;
}

/** Follows the definitions from the first load of the caches on. The controller is started by the server. */
export function serveCustomKinds(parts: ServeCustomKindsParts): ServedCustomKinds {
  const { engine, clock, registry, caches, discovery, newUid, onError, inProcess } = parts;
  const cacheOf = (type: TypeName): ReturnType<StorageCaches['kind']>['cache'] => caches.kind(builtInKind(type)).cache;
  const readerOf = (type: TypeName): KnownObjects => new KnownObjects(cacheOf(type));
  const resolve = serviceResolver(readerOf('core/v1.Service'), readerOf('discovery/v1.EndpointSlice'));
  const conversions = new WeakMap<CustomDefinition, ConvertObjects>();
  const conversionOf = (definition: CustomDefinition): ConvertObjects => {
    const { webhook } = definition;
    const known = conversions.get(definition) ?? (webhook && webhookConversion(webhook, { resolve, inProcess }));
    if (known === undefined) throw new TypeError(`${definition.name} has no conversion webhook`);
    conversions.set(definition, known);
    return known;
  };
  const kinds = new CustomKinds({
    registry,
    caches,
    discovery,
    keyOf: (name) => storedObjectKey(builtInKind('apiextensions/v1.CustomResourceDefinition'), { namespace: '', name }),
    rules: celRules,
    webhookForm: (definition, version, versions) => webhookForm(conversionOf(definition), version, versions),
    onChange: (name) => {
      documents.changed();
      controller.changed(name);
    },
  });
  const documents = new CustomDocuments(kinds);
  const isBuiltIn = (group: string, version: string): boolean => discovery.isBuiltIn(group, version);
  const apiService = builtInKind('apiregistration/v1.APIService');
  const objects = readerOf('apiregistration/v1.APIService');
  const { written } = caches;
  const apiServices = new ApiServices({
    engine,
    clock,
    definition: apiService,
    objects,
    kinds,
    isBuiltIn,
    newUid,
    written,
  });
  const controller = new DefinitionController({
    engine,
    clock,
    definition: builtInKind('apiextensions/v1.CustomResourceDefinition'),
    kinds,
    reached: (revision) => caches.feed.reached(revision),
    ownsFolder: registry.ownsFolder,
    isCaBundle,
    apiServices,
    written,
    onError,
  });
  cacheOf('apiextensions/v1.CustomResourceDefinition').onGeneration = (generation) => kinds.follow(generation);
  return { kinds, documents, controller, resolveService: resolve, apiServices };
}
