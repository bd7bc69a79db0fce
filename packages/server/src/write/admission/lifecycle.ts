/** NamespaceLifecycle, and the same for custom kinds: a new object needs an open namespace and a definition that stays. */

import { forbidden, namespaceTerminating, notFound } from '@listwatch/api';
import { recordOf } from '@listwatch/api/values';
import { builtInKind, type KindDefinition, type KubeObject } from '@listwatch/rules/internal';
import type { CommitGuard } from '@listwatch/storage';
import type { HeldGuard } from '../../contract/admission.ts';
import type { ObjectStore, ResourceCall } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { endWithRequest } from '../../stored/request-signal.ts';
import { isStorableKey, objectKey } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';

const TERMINATING = 'create not allowed while custom resource definition is terminating';
/** Namespaces that are remembered as open. */
const SEEN_MAX = 1000;

/** What it reads. */
export interface LifecycleParts {
  readonly store: Pick<ObjectStore, 'cached' | 'engine'>;
  /** The definition of a custom kind as this server knows it. Undefined for built-in kinds. */
  readonly definitionGuard: (definition: ResourceDefinition) => CommitGuard | undefined;
}

/** Throws the 403 while the definition of the kind is being deleted. */
export function requireCreatable({ resource, strategy }: KindDefinition, name: string): void {
  const refusal = strategy.refusesCreation?.();
  if (refusal !== undefined) throw forbidden(resource, name, refusal);
}

/** The checks of one server. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  /** The key and revision at which each namespace was last seen active: most creates find it unchanged. */
  readonly #open = new Map<string, CommitGuard>();

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /**
   * Throws the 404 when the namespace of a new object does not exist, the 403 when it or the definition of the kind is going.
   * Returns what was checked: the commit is guarded by it, or it may be deleted before.
   */
  async requirePlace(call: ResourceCall, object: KubeObject, dryRun: boolean): Promise<readonly HeldGuard[]> {
    const { definition, path } = call;
    const held: HeldGuard[] = [];
    if (definition.resource.namespaced) {
      const renew = (): Promise<CommitGuard> => this.#openNamespace(call, object);
      const earlier = dryRun ? undefined : this.#earlier(path.namespace);
      held.push({ guard: earlier ?? (await renew()), renew, isEarlier: earlier !== undefined });
    }
    const guard = this.#parts.definitionGuard(definition);
    if (guard !== undefined) held.push({ guard, renew: () => this.#openDefinition(call, guard.key), isEarlier: false });
    return held;
  }

  async #openNamespace({ definition, request, path }: ResourceCall, object: KubeObject): Promise<CommitGuard> {
    const { engine } = this.#parts.store;
    const { namespace } = path;
    const namespaces = builtInKind('core/v1.Namespace');
    const key = objectKey(namespaces, { namespace: '', name: namespace });
    const entry = isStorableKey(key) ? (await engine.get(key, endWithRequest(engine, request))).entry : undefined;
    if (entry === undefined) throw notFound(namespaces.resource, namespace);
    const guard = { key, revision: entry.modRevision };
    if (this.#open.get(namespace)?.revision === entry.modRevision) return guard;
    if (recordOf(storedObject(namespaces, entry)['status'])['phase'] === 'Terminating') {
      const { name, generateName } = object.metadata;
      throw namespaceTerminating(definition.resource, name || generateName || 'Unknown', namespace);
    }
    if (this.#open.size >= SEEN_MAX) this.#open.clear();
    this.#open.set(namespace, guard);
    return guard;
  }

  /**
   * The check of an earlier create in the namespace, while the cache has seen no change since: nothing is read. The guard of
   * the commit finds a change that the cache has not seen. Undefined where a read costs no round trip.
   */
  #earlier(namespace: string): CommitGuard | undefined {
    const guard = this.#open.get(namespace);
    if (guard === undefined) return undefined;
    const cached = this.#parts.store.cached(builtInKind('core/v1.Namespace'), guard.key);
    return cached?.modRevision === guard.revision ? guard : undefined;
  }

  /** The guard of a definition that has changed. Another one of the same name has other objects. */
  async #openDefinition({ definition, request, path }: ResourceCall, key: string): Promise<CommitGuard> {
    const { engine } = this.#parts.store;
    const { entry } = await engine.get(key, endWithRequest(engine, request));
    if (entry !== undefined) {
      const { uid, deletionTimestamp } = storedObject(definitions(), entry).metadata;
      if (uid === definition.custom?.uid && deletionTimestamp === undefined)
        return { key, revision: entry.modRevision };
    }
    throw forbidden(definition.resource, path.name, TERMINATING);
  }
}

function definitions(): KindDefinition {
  return builtInKind('apiextensions/v1.CustomResourceDefinition');
}
