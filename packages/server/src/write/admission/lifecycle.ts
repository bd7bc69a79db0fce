/** NamespaceLifecycle, and the same for CRDs: refuses new objects while the namespace or the CRD is being deleted. */

import { forbidden, namespaceTerminating, notFound } from '@listwatch/api';
import { recordOf } from '@listwatch/api/values';
import { builtInKind, type KindDefinition, type KubeObject } from '@listwatch/rules/internal';
import type { CommitGuard } from '@listwatch/storage';
import type { HeldGuard } from '../../contract/admission.ts';
import type { ObjectStore, ResourceCall } from '../../contract/verb.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { endWithRequest } from '../../stored/request-signal.ts';
import { isStorableKey, storedObjectKey } from '../../stored/requested-key.ts';
import { storedObject } from '../../stored/stored-object.ts';

const TERMINATING = 'create not allowed while custom resource definition is terminating';
/** The number of active namespaces to remember. */
const SEEN_MAX = 1000;

/** The parts that the checks read. */
export interface LifecycleParts {
  readonly store: Pick<ObjectStore, 'cached' | 'engine'>;
  /** The definition of a custom kind as this server knows it. Undefined for built-in kinds. */
  readonly definitionGuard: (definition: ResourceDefinition) => CommitGuard | undefined;
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
   * Throws the 404 when the namespace of a new object does not exist, the 403 when it or the CRD is being deleted.
   * Returns guards for the commit, which fails when a deletion begins after the check.
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
    const key = storedObjectKey(namespaces, { namespace: '', name: namespace });
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
   * Reuses the check of an earlier create while the cached namespace is unchanged, which saves a read. The guard of the
   * commit detects changes that the cache has not seen yet. Undefined where a read costs no round trip.
   */
  #earlier(namespace: string): CommitGuard | undefined {
    const guard = this.#open.get(namespace);
    if (guard === undefined) return undefined;
    const cached = this.#parts.store.cached(builtInKind('core/v1.Namespace'), guard.key);
    return cached?.modRevision === guard.revision ? guard : undefined;
  }

  /** Checks a changed CRD again. A new CRD of the same name does not count: it has other objects. */
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
