/** The admission webhooks of one server, put together. Start here. */

import { randomUUID } from 'node:crypto';
import { apiVersionOf } from '@listwatch/api';
import type { KubeObject } from '@listwatch/rules/internal';
import type { TypeName } from '@listwatch/schema';
import { CacheFollower } from '../../../cache/cache-follower.ts';
import type { ResourceCache } from '../../../cache/resource-cache.ts';
import type { MutatingStep, RequestHead, ValidatingStep } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { equivalentKinds } from '../dynamic/rule-match.ts';
import { KnownObjects } from '../known-objects.ts';
import { MutatingWebhooks } from './mutating-webhooks.ts';
import { ValidatingWebhooks } from './validating-webhooks.ts';
import { WebhookCaller, type WebhookCallerParts } from './webhook-caller.ts';
import { type MatchedWebhook, type MatchingWebhooks, WebhookIndex } from './webhook-index.ts';
import { WebhookMetrics } from './webhook-metrics.ts';
import { type WebhookRecord, WebhookRecords } from './webhook-records.ts';
import type { WebhookWorld } from './webhook-world.ts';

const NONE: readonly MatchedWebhook[] = [];

/** The parts that webhooks need. */
export interface WebhookPluginsOptions
  extends Omit<WebhookCallerParts, 'onCertificate'>,
    Pick<WebhookWorld, 'authorizer' | 'conditionMetrics' | 'elsewhere' | 'now'> {
  /** The cache of a built-in kind. */
  readonly cacheOf: (type: TypeName) => ResourceCache;
  readonly kinds: Iterable<ResourceDefinition>;
  /** A namespace in the store, for one that the cache does not have yet. */
  readonly storedNamespace: (name: string) => Promise<KubeObject | undefined>;
}

/** Both plugins. */
export interface WebhookPlugins {
  readonly mutating: MutatingStep;
  readonly validating: ValidatingStep;
  readonly metrics: WebhookMetrics;
  readonly caller: WebhookCaller;
  /** The calls of each webhook, the slowest first. */
  readonly state: () => readonly CalledWebhook[];
}

/** A webhook in `/debug/webhooks`. */
export type CalledWebhook = WebhookRecord & ReturnType<WebhookCaller['load']>;

/** Creates both plugins. A configuration takes effect when the feed of this server delivers it. */
export function createWebhooks(options: WebhookPluginsOptions): WebhookPlugins {
  const { cacheOf, kinds, authorizer, storedNamespace, clock, now, elsewhere, conditionMetrics } = options;
  const namespaces = new KnownObjects(cacheOf('core/v1.Namespace'));
  const metrics = new WebhookMetrics();
  const caller = new WebhookCaller({ ...options, onCertificate: (problem) => metrics.certificate(problem) });
  const records = new WebhookRecords();
  const world: WebhookWorld = {
    clock,
    caller,
    metrics,
    conditionMetrics,
    records,
    authorizer,
    now,
    elsewhere,
    newUid: randomUUID,
    namespaceLabels: (name) => {
      const known = namespaces.get('', name);
      return known === undefined ? storedNamespace(name).then(labelsOf) : labelsOf(known);
    },
    findKind: (apiVersion, kind) => kindOf(kinds, apiVersion, kind),
  };
  const equivalents = equivalentKinds(() => kinds);
  const matchingOf = (type: 'mutating' | 'validating'): MatchingWebhooks => {
    const index = new WebhookIndex(type, equivalents);
    const kind: TypeName = `admissionregistration/v1.${type === 'mutating' ? 'Mutating' : 'Validating'}WebhookConfiguration`;
    const cache = cacheOf(kind);
    const follower = new CacheFollower(cache, {
      set: (object) => index.set(object.metadata.name ?? '', object),
      remove: (_namespace, name) => index.remove(name),
    });
    const matching = (head: RequestHead): readonly MatchedWebhook[] => {
      follower.catchUp();
      // As long as the configurations were never read, nobody knows whom to ask: no write may pass.
      if (!follower.isReady) cache.requireReady();
      const matched = index.matching(head);
      const { definition, namespace } = head;
      // For a Namespace its new labels count, which only the request has.
      if (namespace === '' || !definition.resource.namespaced) return matched;
      return index.within(matched, () => namespaces.get('', namespace));
    };
    return (head, objects) => {
      const matched = matching(head);
      return objects === undefined || matched.length === 0 || index.areTaken(matched, objects) ? matched : NONE;
    };
  };
  return {
    mutating: new MutatingWebhooks(matchingOf('mutating'), world),
    validating: new ValidatingWebhooks(matchingOf('validating'), world),
    metrics,
    caller,
    state: () => records.list().map((record) => ({ ...record, ...caller.load(record) })),
  };
}

function labelsOf(namespace: KubeObject | undefined): Readonly<Record<string, string>> | undefined {
  return namespace && (namespace.metadata.labels ?? {});
}

function kindOf(kinds: Iterable<ResourceDefinition>, apiVersion: string, kind: string): ResourceDefinition | undefined {
  for (const definition of kinds) {
    if (definition.resource.kind === kind && apiVersionOf(definition.resource) === apiVersion) return definition;
  }
  return undefined;
}
