import { type OwnerReference, resource } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import type { DeletionStage, GraphNode } from './graph-node.ts';
import { OwnerGraph } from './owner-graph.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

function node(uid: string, owners: readonly OwnerReference[] = [], more: Partial<GraphNode> = {}): GraphNode {
  return { uid, resource: configMaps, namespace: 'a', name: uid, owners, deletion: 'none', ...more };
}

function refer(uid: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid, ...more };
}

function graphOf(...nodes: readonly GraphNode[]): OwnerGraph {
  const graph = new OwnerGraph();
  for (const one of nodes) graph.apply(one);
  return graph;
}

describe('a new object', () => {
  it('with an owner that was seen asks for nothing', () => {
    expect(graphOf(node('owner')).apply(node('a', [refer('owner')])).toDelete).toEqual([]);
  });

  it('with an owner that was not seen has to be checked, and names the kind of the owner', () => {
    const effects = graphOf().apply(node('a', [refer('owner')]));
    expect(effects).toMatchObject({ toDelete: ['a'], newOwnerKinds: [{ apiVersion: 'v1', kind: 'ConfigMap' }] });
  });

  it.each([
    ['another name', { name: 'other' }],
    ['another kind', { kind: 'Secret' }],
    ['another version', { apiVersion: 'v2' }],
  ])('that gives its owner %s has to be checked', (_, more) => {
    expect(graphOf(node('owner')).apply(node('a', [refer('owner', more)])).toDelete).toEqual(['a']);
  });

  it('with an owner in another namespace is reported, whichever is seen first', () => {
    const [far, near] = [node('owner', [], { namespace: 'far' }), node('a', [refer('owner')])];
    const reported = { misplaced: [{ dependent: near, reference: refer('owner') }], toDelete: ['a'] };
    expect(graphOf(far).apply(near)).toMatchObject(reported);
    expect(graphOf(near).apply(far)).toMatchObject(reported);
  });

  it('with an owner of the cluster may be in any namespace', () => {
    const effects = graphOf(node('owner', [], { namespace: '' })).apply(node('a', [refer('owner')]));
    expect(effects).toMatchObject({ misplaced: [], toDelete: [] });
  });

  it.each([
    ['foreground', ['a'], []],
    ['orphan', [], ['owner']],
  ] as const)('of an owner in %s deletion is dealt with', (deletion, toDelete, toOrphan) => {
    const effects = graphOf(node('owner', [], { deletion })).apply(node('a', [refer('owner')]));
    expect(effects).toMatchObject({ toDelete, toOrphan });
  });
});

describe('an owner', () => {
  it.each<[DeletionStage, readonly string[], readonly string[]]>([
    ['deleting', [], []],
    ['foreground', ['a', 'b', 'owner'], []],
    ['orphan', [], ['owner']],
  ])('whose deletion becomes %s names whom it concerns, once', (deletion, toDelete, toOrphan) => {
    const graph = graphOf(node('owner'), node('a', [refer('owner')]), node('b', [refer('owner')]));
    expect(graph.apply(node('owner', [], { deletion }))).toMatchObject({ toDelete, toOrphan });
    expect(graph.apply(node('owner', [], { deletion }))).toMatchObject({ toDelete: [], toOrphan: [] });
  });

  it('that goes brings up its dependents', () => {
    const graph = graphOf(node('owner'), node('a', [refer('owner')]), node('b', [refer('owner')]));
    expect(graph.remove('owner').toDelete).toEqual(['a', 'b']);
    expect(graph.remove('owner').toDelete).toEqual([]);
    expect([...graph.dependentsOf('owner')]).toEqual(['a', 'b']);
  });

  it('that waits comes up when its last blocking dependent goes or stops blocking', () => {
    const blocks = { blockOwnerDeletion: true };
    const graph = graphOf(node('owner'), ...['a', 'b'].map((uid) => node(uid, [refer('owner', blocks)])));
    graph.apply(node('owner', [], { deletion: 'foreground' }));
    expect(graph.remove('a').toDelete).toEqual([]);
    expect(graph.apply(node('b', [refer('owner')])).toDelete).toEqual(['owner']);
    expect(graph.remove('b').toDelete).toEqual([]);
  });
});

it('a circle of objects that wait for each other is found, a chain is not one', () => {
  const blocks = { blockOwnerDeletion: true };
  const waits = { deletion: 'foreground' } as const;
  const chain = graphOf(
    node('a', [], waits),
    node('b', [refer('a', blocks)], waits),
    node('c', [refer('b', blocks)], waits),
  );
  expect([...chain.waitingBelow('a')]).toEqual(['b', 'c']);
  expect(chain.waitingBelow('c').size).toBe(0);
  chain.apply(node('a', [refer('c', blocks)], waits));
  expect(chain.waitingBelow('b')).toContain('b');
  chain.apply(node('b', [refer('a')], waits));
  expect(chain.waitingBelow('a').size).toBe(0);
});

it('an object with 10 000 owners is compared in one pass', () => {
  const graph = new OwnerGraph();
  let reads = 0;
  const owners = Array.from({ length: 10_000 }, (_, at) => {
    const reference = refer(`o${at}`);
    const { name } = reference;
    return Object.defineProperty({ ...reference }, 'name', { get: () => ((reads += 1), name) });
  });
  graph.apply(node('a', owners));
  reads = 0;
  graph.apply(node('a', [...owners]));
  expect(reads).toBeLessThan(100_000);
});
