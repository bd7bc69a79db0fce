import { FINALIZER, type OwnerReference, resource } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { attemptFor, decideCollection, type OwnerState } from './collection-plan.ts';
import type { DeletionStage, GraphNode } from './graph-node.ts';
import { OwnerGraph } from './owner-graph.ts';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

function refer(uid: string, more: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid, ...more };
}

function node(uid: string, deletion: DeletionStage, ...owners: readonly OwnerReference[]): GraphNode {
  return { uid, resource: configMaps, namespace: 'a', name: uid, owners, deletion };
}

function attempt(uid: string, ...nodes: readonly GraphNode[]): unknown {
  const graph = new OwnerGraph();
  for (const one of nodes) graph.apply(one);
  const found = graph.get(uid);
  return found && attemptFor(graph, found);
}

describe('what the graph alone decides', () => {
  const blocks = { blockOwnerDeletion: true };

  it.each([
    ['no owners', [node('a', 'none')], 'wait'],
    ['an owner that is there', [node('o', 'none'), node('a', 'none', refer('o'))], 'wait'],
    ['an owner that others hold', [node('o', 'deleting'), node('a', 'none', refer('o'))], 'wait'],
    ['an owner that is not known', [node('a', 'none', refer('o'))], 'check'],
    ['an owner that waits for it', [node('o', 'foreground'), node('a', 'none', refer('o'))], 'check'],
    ['an owner under another name', [node('o', 'none'), node('a', 'none', refer('o', { name: 'x' }))], 'check'],
    ['a deletion that has begun', [node('a', 'deleting', refer('o'))], 'wait'],
    ['an orphan deletion', [node('a', 'orphan', refer('o'))], 'wait'],
    ['a foreground deletion without dependents', [node('a', 'foreground')], 'finish'],
    ['one that nothing blocks', [node('a', 'foreground'), node('d', 'none', refer('a'))], 'finish'],
    ['one that is blocked', [node('a', 'foreground'), node('d', 'none', refer('a', blocks))], 'wait'],
    ['one that blocks itself', [node('a', 'foreground', refer('a', blocks))], 'unblock'],
  ])('about an object with %s', (_, nodes, type) => {
    expect(attempt('a', ...nodes)).toMatchObject({ type });
  });

  it('about a circle: only the references within it must not block any more', () => {
    const outside = node('outside', 'foreground');
    const a = node('a', 'foreground', refer('b', blocks), refer('outside', blocks));
    const b = node('b', 'foreground', refer('a', blocks));
    expect(attempt('a', outside, a, b)).toEqual({ type: 'unblock', owners: new Set(['b']) });
  });
});

describe('what becomes of an object', () => {
  const meta = { name: 'a' };
  const owners = (...states: readonly OwnerState[]) =>
    states.map((state, at) => ({ reference: refer(`o${at}`), state }));

  it.each([
    ['no owners', owners(), false, { type: 'keep' }],
    ['solid owners', owners('solid', 'solid'), true, { type: 'keep' }],
    [
      'one solid owner',
      owners('absent', 'solid', 'waiting'),
      true,
      { type: 'narrow', dropped: [refer('o0'), refer('o2')] },
    ],
    ['absent owners', owners('absent', 'absent'), true, { type: 'delete', policy: 'Background' }],
    ['a waiting owner', owners('absent', 'waiting'), false, { type: 'delete', policy: 'Background' }],
    ['a waiting owner and dependents', owners('waiting'), true, { type: 'delete', policy: 'Foreground' }],
  ] as const)('with %s', (_, classified, hasDependents, collection) => {
    expect(decideCollection(meta, classified, hasDependents)).toEqual(collection);
  });

  it.each([
    [FINALIZER.orphan, 'Orphan'],
    [FINALIZER.foregroundDeletion, 'Foreground'],
    ['example.com/other', 'Background'],
  ])('that carries the finalizer %s', (finalizer, policy) => {
    const collection = decideCollection({ ...meta, finalizers: [finalizer] }, owners('absent'), false);
    expect(collection).toEqual({ type: 'delete', policy });
  });
});
