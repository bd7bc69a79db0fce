import { type OwnerReference, resource } from '@listwatch/api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DeletionStage, type GraphNode, namesOwner } from './graph-node.ts';
import { OwnerGraph } from './owner-graph.ts';

const KINDS = [
  resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true }),
  resource({ version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false }),
  resource({ group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true }),
] as const;

const UIDS = ['u0', 'u1', 'u2', 'u3', 'u4', 'u5'];

interface Change {
  readonly type: 'apply' | 'forget' | 'remove';
  readonly uid: string;
  readonly owners: readonly OwnerReference[];
  readonly deletion: DeletionStage;
}

/** The kind and the namespace of a uid never change. */
function nodeOf({ uid, owners, deletion }: Change): GraphNode {
  const at = UIDS.indexOf(uid);
  const kind = KINDS[at % 3] ?? KINDS[0];
  const namespace = kind.namespaced ? (at < 3 ? 'a' : 'b') : '';
  return { uid, resource: kind, namespace, name: `name-${uid}`, owners, deletion };
}

const owner = fc
  .tuple(fc.constantFrom(...UIDS), fc.boolean(), fc.nat(4))
  .map(([uid, blocks, wrong]): OwnerReference => {
    const node = nodeOf({ type: 'apply', uid, owners: [], deletion: 'none' });
    const { group, version, kind } = node.resource;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    // Now and then the right uid under a wrong name.
    return { apiVersion, kind, name: wrong === 0 ? 'wrong' : node.name, uid, blockOwnerDeletion: blocks };
  });

const change = fc.record<Change>({
  type: fc.constantFrom('apply', 'apply', 'apply', 'remove', 'forget'),
  uid: fc.constantFrom(...UIDS),
  owners: fc.array(owner, { maxLength: 4 }),
  deletion: fc.constantFrom<DeletionStage>('none', 'none', 'deleting', 'foreground', 'orphan'),
});

/** The same answers, from nothing but the objects. */
class PlainGraph {
  readonly nodes = new Map<string, GraphNode>();

  dependents(uid: string): readonly string[] {
    return this.#all(({ owners }) => owners.some((one) => one.uid === uid));
  }

  blocking(uid: string): number {
    return this.#all(({ owners }) => owners.some((one) => one.uid === uid && one.blockOwnerDeletion === true)).length;
  }

  ownerKinds(): readonly string[] {
    const named = [...this.nodes.values()].flatMap(({ owners }) =>
      owners.map((one) => `${one.apiVersion} ${one.kind}`),
    );
    return [...new Set(named)].toSorted();
  }

  /** Objects that the collector must look at when it comes to this state anew. */
  doubtful(): readonly string[] {
    return this.#all(({ namespace, owners, deletion }) => {
      if (deletion !== 'none') return false;
      return owners.some((reference) => {
        const found = this.nodes.get(reference.uid);
        return found === undefined || !namesOwner(reference, namespace, found) || found.deletion === 'foreground';
      });
    });
  }

  #all(matches: (node: GraphNode) => boolean): readonly string[] {
    return [...this.nodes.values()]
      .filter(matches)
      .map(({ uid }) => uid)
      .toSorted();
  }
}

function play(changes: readonly Change[], look: (graph: OwnerGraph, plain: PlainGraph, change: Change) => void): void {
  const graph = new OwnerGraph();
  const plain = new PlainGraph();
  for (const given of changes) {
    // A deletion is never taken back.
    const isBack = given.deletion === 'none' && (plain.nodes.get(given.uid)?.deletion ?? 'none') !== 'none';
    look(graph, plain, isBack ? { ...given, deletion: 'deleting' } : given);
    expect(graph.size).toBe(plain.nodes.size);
    expect(graph.ownerKinds.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).toSorted()).toEqual(
      plain.ownerKinds(),
    );
    for (const uid of UIDS) {
      expect([...graph.dependentsOf(uid)].toSorted()).toEqual(plain.dependents(uid));
      expect(graph.blockingDependents(uid)).toBe(plain.blocking(uid));
    }
  }
}

it('dependents, blocking dependents and owner kinds are what the objects say, after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60, size: 'max' }), (changes) => {
      play(changes, (graph, plain, one) => {
        const node = nodeOf(one);
        if (one.type === 'apply') {
          graph.apply(node);
          plain.nodes.set(one.uid, node);
        } else if (one.type === 'remove') {
          graph.remove(one.uid);
          plain.nodes.delete(one.uid);
        } else {
          graph.forget(node.resource);
          for (const known of plain.nodes.values()) if (known.resource === node.resource) plain.nodes.delete(known.uid);
        }
      });
    }),
    { numRuns: 300 },
  );
});

it('every object that becomes doubtful, can finish or has to orphan is named by the change that makes it so', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60, size: 'max' }), (changes) => {
      play(changes, (graph, plain, one) => {
        const before = new Set(plain.doubtful());
        const finished = new Set(finishable(plain));
        const orphaning = orphans(plain);
        const node = nodeOf(one);
        const effects = one.type === 'apply' ? graph.apply(node) : graph.remove(one.uid);
        if (one.type === 'apply') plain.nodes.set(one.uid, node);
        else plain.nodes.delete(one.uid);
        const named = new Set(effects.toDelete);
        for (const uid of plain.doubtful()) if (!before.has(uid)) expect(named).toContain(uid);
        for (const uid of finishable(plain)) if (!finished.has(uid)) expect(named).toContain(uid);
        for (const uid of orphans(plain)) if (!orphaning.includes(uid)) expect(effects.toOrphan).toContain(uid);
      });
    }),
    { numRuns: 300 },
  );
});

function finishable(plain: PlainGraph): readonly string[] {
  const waiting = [...plain.nodes.values()].filter(({ deletion }) => deletion === 'foreground');
  return waiting.map(({ uid }) => uid).filter((uid) => plain.blocking(uid) === 0);
}

function orphans(plain: PlainGraph): readonly string[] {
  return [...plain.nodes.values()].filter(({ deletion }) => deletion === 'orphan').map(({ uid }) => uid);
}
