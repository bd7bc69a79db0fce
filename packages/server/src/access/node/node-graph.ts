/** Which objects the Pods of a node need: node <- Pod <- claim <- volume <- Secret, and what else a Pod names. */

import { recordOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { NodeUses } from './node-uses.ts';
import { podReferences, type ReferencedKind } from './pod-references.ts';
import { volumeSecrets } from './volume-secrets.ts';

/** Kinds that can be related to a node. */
export type RelatedKind = ReferencedKind | 'pod' | 'pv' | 'resourceslice' | 'volumeattachment';

/** Kinds whose objects name one node. */
export type PlacedKind = 'resourceslice' | 'volumeattachment';

interface Reference {
  readonly kind: ReferencedKind;
  readonly key: string;
  readonly uses: NodeUses;
}

interface BoundPod {
  readonly node: string;
  readonly references: readonly Reference[];
}

interface ClaimedVolume {
  readonly claim: string;
  /** Keys of Secrets. */
  readonly secrets: readonly string[];
}

/** How much it holds. */
export interface NodeGraphSize {
  readonly pods: number;
  readonly objects: number;
  readonly volumes: number;
}

/**
 * Kept up to date object by object. A question costs a look-up or two, however many Pods, claims and volumes lie between: the nodes
 * that reach a Secret through volumes are counted at each change.
 */
export class NodeGraph {
  readonly #pods = new Map<string, BoundPod>();
  readonly #references: Readonly<Record<ReferencedKind, Map<string, Reference>>> = {
    configmap: new Map(),
    pvc: new Map(),
    resourceclaim: new Map(),
    secret: new Map(),
    serviceaccount: new Map(),
  };
  readonly #volumes = new Map<string, ClaimedVolume>();
  readonly #volumesOfClaim = new Map<string, Set<string>>();
  /** Nodes that use a Secret through volumes, once for each volume. */
  readonly #volumeSecrets = new Map<string, NodeUses>();
  readonly #placed: Readonly<Record<PlacedKind, Map<string, string>>> = {
    resourceslice: new Map(),
    volumeattachment: new Map(),
  };

  get size(): NodeGraphSize {
    const objects = Object.values(this.#references).reduce((sum, { size }) => sum + size, 0);
    return { pods: this.#pods.size, objects, volumes: this.#volumes.size };
  }

  /** Does the node need this object? The namespace of a cluster-scoped one is `''`. */
  isRelated(node: string, kind: RelatedKind, namespace: string, name: string): boolean {
    const key = keyOf(namespace, name);
    switch (kind) {
      case 'pod':
        return this.#pods.get(key)?.node === node;
      case 'pv': {
        const volume = this.#volumes.get(name);
        return volume !== undefined && this.#references.pvc.get(volume.claim)?.uses.has(node) === true;
      }
      case 'resourceslice':
      case 'volumeattachment':
        return this.#placed[kind].get(name) === node;
      case 'secret':
        return (
          this.#references.secret.get(key)?.uses.has(node) === true || this.#volumeSecrets.get(key)?.has(node) === true
        );
      case 'configmap':
      case 'pvc':
      case 'resourceclaim':
      case 'serviceaccount':
        return this.#references[kind].get(key)?.uses.has(node) === true;
      default:
        return kind satisfies never;
    }
  }

  setPod(pod: KubeObject): void {
    const { namespace = '', name = '' } = pod.metadata;
    const key = keyOf(namespace, name);
    const node = textOf(recordOf(pod['spec'])['nodeName']);
    if (node === '') return this.#forgetPod(key);
    const wanted = this.#wanted(pod, namespace);
    const before = this.#pods.get(key);
    if (before !== undefined && before.node === node && isSame(before.references, wanted)) return;
    for (const reference of wanted) this.#use(reference, node);
    // Afterwards: what both have is not forgotten in between.
    this.#forgetPod(key);
    this.#pods.set(key, { node, references: wanted });
  }

  removePod(namespace: string, name: string): void {
    this.#forgetPod(keyOf(namespace, name));
  }

  setVolume(volume: KubeObject): void {
    const { name = '' } = volume.metadata;
    this.removeVolume(name);
    const spec = recordOf(volume['spec']);
    const claimRef = recordOf(spec['claimRef']);
    const claimName = textOf(claimRef['name']);
    if (claimName === '') return;
    const namespace = textOf(claimRef['namespace']);
    const claim = keyOf(namespace, claimName);
    const secrets = [...new Set(volumeSecrets(spec, namespace).map((secret) => keyOf(secret.namespace, secret.name)))];
    this.#volumes.set(name, { claim, secrets });
    const others = this.#volumesOfClaim.get(claim);
    if (others === undefined) this.#volumesOfClaim.set(claim, new Set([name]));
    else others.add(name);
    for (const node of this.#references.pvc.get(claim)?.uses ?? []) this.#reachSecrets(secrets, node);
  }

  removeVolume(name: string): void {
    const volume = this.#volumes.get(name);
    if (volume === undefined) return;
    const { claim, secrets } = volume;
    this.#volumes.delete(name);
    const others = this.#volumesOfClaim.get(claim);
    others?.delete(name);
    if (others?.size === 0) this.#volumesOfClaim.delete(claim);
    for (const node of this.#references.pvc.get(claim)?.uses ?? []) this.#leaveSecrets(secrets, node);
  }

  /** An object that names its node, or `''`. */
  place(kind: PlacedKind, name: string, node: string): void {
    if (node === '') this.#placed[kind].delete(name);
    else this.#placed[kind].set(name, node);
  }

  #wanted(pod: KubeObject, namespace: string): readonly Reference[] {
    const wanted = new Set<Reference>();
    podReferences(pod, (kind, name) => {
      const key = keyOf(namespace, name);
      const known = this.#references[kind].get(key);
      if (known !== undefined) {
        wanted.add(known);
        return;
      }
      const reference = { kind, key, uses: new NodeUses() };
      this.#references[kind].set(key, reference);
      wanted.add(reference);
    });
    return [...wanted];
  }

  #use({ kind, key, uses }: Reference, node: string): void {
    if (!uses.add(node) || kind !== 'pvc') return;
    for (const secrets of this.#secretsOfClaim(key)) this.#reachSecrets(secrets, node);
  }

  #forgetPod(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined) return;
    this.#pods.delete(key);
    const { node, references } = pod;
    for (const { kind, key: referenced, uses } of references) {
      const isGone = uses.remove(node);
      if (uses.isEmpty) this.#references[kind].delete(referenced);
      if (!isGone || kind !== 'pvc') continue;
      for (const secrets of this.#secretsOfClaim(referenced)) this.#leaveSecrets(secrets, node);
    }
  }

  *#secretsOfClaim(claim: string): Generator<readonly string[], undefined> {
    for (const name of this.#volumesOfClaim.get(claim) ?? []) yield this.#volumes.get(name)?.secrets ?? [];
  }

  #reachSecrets(secrets: readonly string[], node: string): void {
    for (const secret of secrets) {
      const uses = this.#volumeSecrets.get(secret) ?? new NodeUses();
      this.#volumeSecrets.set(secret, uses);
      uses.add(node);
    }
  }

  #leaveSecrets(secrets: readonly string[], node: string): void {
    for (const secret of secrets) {
      const uses = this.#volumeSecrets.get(secret);
      uses?.remove(node);
      if (uses?.isEmpty === true) this.#volumeSecrets.delete(secret);
    }
  }
}

function isSame(left: readonly Reference[], right: readonly Reference[]): boolean {
  return left.length === right.length && left.every((reference, index) => reference === right[index]);
}

/** Names have no slash. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
