/** Keeps the caBundle of configurations and definitions, and knows whether the API server can trust the certificate. */

import { isConflict, isNotFound, type Resource } from '@listwatch/api';
import type { Cluster } from '@listwatch/client';
import type { Logger } from '../../controller/logger.ts';
import type { Informer } from '../../informer/informer.ts';
import type { SharedInformers } from '../../informer/shared-informers.ts';
import type { RegisteredHooks } from '../webhook-calls.ts';
import {
  type ConvertedDefinition,
  definitions,
  mutatingConfigurations,
  validatingConfigurations,
  type WebhookConfiguration,
} from '../webhook-objects.ts';
import { bundlePlaces } from './bundle-place.ts';
import { authoritiesOf } from './serving-pair.ts';

type Trusting = ConvertedDefinition | WebhookConfiguration;

/** One object that has to trust the certificate. */
interface Target {
  readonly resource: Resource<Trusting>;
  readonly name: string;
  /** The webhooks that must be in it. */
  readonly hooks: readonly string[];
  readonly cache: Informer<Trusting>;
}

export interface BundleKeeperParts {
  readonly cluster: Cluster;
  readonly informers: SharedInformers;
  readonly logger: Logger;
  readonly onChange: () => void;
  /** A bundle was written. */
  readonly onPatched: () => void;
}

export class BundleKeeper {
  readonly #parts: BundleKeeperParts;
  readonly #targets: readonly Target[];
  /** What was said last of each object, so that it is said once. */
  readonly #told = new Map<string, string>();

  constructor(hooks: RegisteredHooks, name: string, parts: BundleKeeperParts) {
    this.#parts = parts;
    this.#targets = targetsOf(hooks, name).map((target) => {
      const fieldSelector = `metadata.name=${target.name}`;
      const cache = parts.informers.informer<Trusting>(target.resource, { fieldSelector, syncTimeoutMs: 0 });
      cache.on({ add: parts.onChange, update: parts.onChange, delete: parts.onChange });
      return { ...target, cache };
    });
  }

  get synced(): Promise<unknown> {
    return Promise.all(this.#targets.map(({ cache }) => cache.synced));
  }

  /** Why the API server cannot trust this chain yet; undefined when it can everywhere. */
  missingTrust(cert: string): string | undefined {
    for (const target of this.#targets) {
      const what = `${target.resource.kind} ${target.name}`;
      const object = target.cache.store.get(target.name);
      if (object === undefined) return `${what} is not there: apply webhookManifests`;
      const places = bundlePlaces(object);
      if (places.length === 0) return `${what} calls no webhook: apply webhookManifests`;
      const place = places.find(({ bundle }) => authoritiesOf(bundle, cert).length === 0);
      if (place !== undefined) return `${what} does not trust the certificate yet (${place.hook ?? 'conversion'})`;
    }
    return undefined;
  }

  /** Has every object exactly this bundle? */
  isInPlace(bundle: string): boolean {
    return this.#targets.every(({ cache, name }) => {
      const object = cache.store.get(name);
      return object !== undefined && bundlePlaces(object).every((place) => place.bundle === bundle);
    });
  }

  /** Writes the bundle wherever another one is. Rejects with the first failure; the others are tried as well. */
  async put(bundle: string): Promise<void> {
    const failures: unknown[] = [];
    for (const target of this.#targets) {
      const object = target.cache.store.get(target.name);
      if (object === undefined) continue;
      this.#tellMissing(target, object);
      try {
        await this.#putInto(target, object, bundle);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async close(): Promise<void> {
    await Promise.all(this.#targets.map(({ cache }) => cache.close()));
  }

  async #putInto({ resource, name }: Target, object: Trusting, bundle: string): Promise<void> {
    const stale = bundlePlaces(object).filter((place) => place.bundle !== bundle);
    if (stale.length === 0) return;
    const { cluster, logger, onPatched } = this.#parts;
    const caBundle = Buffer.from(bundle).toString('base64');
    const body = [
      // Places are counted: in another version of the object they may be those of other webhooks.
      { op: 'test', path: '/metadata/resourceVersion', value: object.metadata.resourceVersion },
      ...stale.map(({ path }) => ({ op: 'add', path: `${path}/caBundle`, value: caBundle }) as const),
    ] as const;
    try {
      await cluster.patch(resource, { name }, { type: 'json', body }, { fieldManager: FIELD_MANAGER });
    } catch (error) {
      // Another replica was faster, or it has gone: the watch will say.
      if (isConflict(error) || isNotFound(error) || isFailedTest(error)) return;
      throw error;
    }
    onPatched();
    logger.info({ kind: resource.kind, name, webhooks: stale.length }, 'the caBundle is in place');
  }

  /** A webhook that is in the program and not in the configuration is never called: somebody forgot to apply it. */
  #tellMissing({ resource, name, hooks }: Target, object: Trusting): void {
    const present = new Set(bundlePlaces(object).map(({ hook }) => hook));
    const missing = hooks.filter((hook) => !present.has(hook)).join(', ');
    const key = `${resource.kind} ${name}`;
    if (this.#told.get(key) === missing) return;
    this.#told.set(key, missing);
    if (missing === '') return;
    this.#parts.logger.warn(
      { kind: resource.kind, name, missing },
      'the configuration lacks webhooks of this program, which are never called: apply webhookManifests',
    );
  }
}

const FIELD_MANAGER = 'listwatch-webhooks';

function targetsOf({ admission, conversions }: RegisteredHooks, name: string): readonly Omit<Target, 'cache'>[] {
  const hooks = [...admission.values()];
  const namesOf = (type: 'mutate' | 'validate'): readonly string[] =>
    hooks.filter((hook) => hook.type === type).map((hook) => hook.name);
  const both = [
    { resource: mutatingConfigurations, name, hooks: namesOf('mutate') },
    { resource: validatingConfigurations, name, hooks: namesOf('validate') },
  ].filter((target) => target.hooks.length > 0);
  const converted = [...conversions.values()].map(({ resource: { plural, group } }) => ({
    resource: definitions,
    name: `${plural}.${group}`,
    hooks: [],
  }));
  return [...both, ...converted];
}

/** kube-apiserver answers a failed `test` of a JSON patch with 422. */
function isFailedTest(error: unknown): boolean {
  return error instanceof Error && 'httpCode' in error && error.httpCode === 422;
}
