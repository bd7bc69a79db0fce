import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NodeGraph, type RelatedKind } from './node-graph.ts';

const NODES = ['n1', 'n2', 'n3'];
const NAMESPACES = ['a', 'b'];
const NAMES = ['x', 'y', 'z'];
const KINDS: readonly RelatedKind[] = [
  'configmap',
  'pod',
  'pv',
  'pvc',
  'resourceclaim',
  'resourceslice',
  'secret',
  'serviceaccount',
  'volumeattachment',
];

interface PodModel {
  readonly type: 'pod';
  readonly namespace: string;
  readonly name: string;
  readonly node: string;
  readonly isMirror: boolean;
  readonly secret: string;
  readonly pull: string;
  readonly variable: string;
  readonly configMap: string;
  readonly account: string;
  readonly claim: string;
  readonly ephemeral: string;
  readonly device: string;
  readonly madeDevice: string;
}

interface VolumeModel {
  readonly type: 'pv';
  readonly name: string;
  readonly claim: { readonly namespace: string; readonly name: string } | undefined;
  readonly secrets: readonly { readonly namespace: string; readonly name: string }[];
}

interface PlacedModel {
  readonly type: 'resourceslice' | 'volumeattachment';
  readonly name: string;
  readonly node: string;
}

type Model = PlacedModel | PodModel | VolumeModel;
type Step = { readonly remove: boolean; readonly model: Model };

const maybeName = fc.constantFrom('', ...NAMES);
const pod: fc.Arbitrary<PodModel> = fc.record({
  type: fc.constant('pod' as const),
  namespace: fc.constantFrom(...NAMESPACES),
  name: fc.constantFrom(...NAMES),
  node: fc.constantFrom('', ...NODES, ...NODES, ...NODES),
  isMirror: fc.nat(5).map((number) => number === 0),
  secret: maybeName,
  pull: maybeName,
  variable: maybeName,
  configMap: maybeName,
  account: maybeName,
  claim: fc.constantFrom('', 'x', 'y', 'x', 'y'),
  ephemeral: maybeName,
  device: maybeName,
  madeDevice: maybeName,
});
const qualified = fc.record({ namespace: fc.constantFrom(...NAMESPACES), name: fc.constantFrom(...NAMES) });
const volume: fc.Arbitrary<VolumeModel> = fc.record({
  type: fc.constant('pv' as const),
  name: fc.constantFrom(...NAMES),
  claim: fc.option(
    fc.record({ namespace: fc.constantFrom(...NAMESPACES), name: fc.constantFrom('x', 'y', 'x', 'y', 'x-z', 'y-x') }),
    { nil: undefined },
  ),
  secrets: fc.array(qualified, { maxLength: 2 }),
});
const placed: fc.Arbitrary<PlacedModel> = fc.record({
  type: fc.constantFrom('resourceslice' as const, 'volumeattachment' as const),
  name: fc.constantFrom(...NAMES),
  node: fc.constantFrom('', ...NODES),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    remove: fc.nat(2).map((number) => number === 0),
    model: fc.oneof({ weight: 4, arbitrary: pod }, { weight: 3, arbitrary: volume }, { weight: 1, arbitrary: placed }),
  }),
  { maxLength: 30 },
);

function podObject(model: PodModel): Parameters<NodeGraph['setPod']>[0] {
  const { namespace, name, node, secret, pull, variable, configMap, account, claim, ephemeral, device } = model;
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      namespace,
      name,
      ...(model.isMirror ? { annotations: { 'kubernetes.io/config.mirror': '1' } } : {}),
    },
    spec: {
      ...(node === '' ? {} : { nodeName: node }),
      serviceAccountName: account,
      imagePullSecrets: [{ name: pull }],
      containers: [{ env: [{ valueFrom: { secretKeyRef: { name: variable } } }] }],
      volumes: [
        { name: 'a', secret: { secretName: secret } },
        { name: 'b', projected: { sources: [{ configMap: { name: configMap } }] } },
        { name: 'c', persistentVolumeClaim: { claimName: claim } },
        ...(ephemeral === '' ? [] : [{ name: ephemeral, ephemeral: {} }]),
      ],
      resourceClaims: [
        { name: 'd', resourceClaimName: device },
        { name: 'e', resourceClaimTemplateName: 'template' },
      ],
    },
    status: { resourceClaimStatuses: [{ name: 'e', resourceClaimName: model.madeDevice }] },
  };
}

function volumeObject({ name, claim, secrets: [first, second] }: VolumeModel): Parameters<NodeGraph['setVolume']>[0] {
  return {
    kind: 'PersistentVolume',
    apiVersion: 'v1',
    metadata: { name },
    spec: {
      ...(claim === undefined ? {} : { claimRef: claim }),
      csi: { nodePublishSecretRef: first, nodeStageSecretRef: second, controllerPublishSecretRef: { name: 'never' } },
    },
  };
}

/** What there is, asked by walking over all of it from the node. */
class World {
  readonly objects = new Map<string, Model>();

  apply({ remove, model }: Step): void {
    const key = [model.type, 'namespace' in model ? model.namespace : '', model.name].join(' ');
    if (remove) this.objects.delete(key);
    else this.objects.set(key, model);
  }

  reachable(node: string): ReadonlySet<string> {
    const all = [...this.objects.values()];
    const found = new Set<string>();
    const claims = new Set<string>();
    const note = (kind: RelatedKind, namespace: string, name: string): void => {
      if (name !== '') found.add([kind, namespace, name].join(' '));
    };
    for (const one of all) {
      if (one.type !== 'pod' || one.node !== node) continue;
      note('pod', one.namespace, one.name);
      if (one.isMirror) continue;
      for (const name of [one.secret, one.pull, one.variable]) note('secret', one.namespace, name);
      note('configmap', one.namespace, one.configMap);
      note('serviceaccount', one.namespace, one.account);
      for (const name of [one.device, one.madeDevice]) note('resourceclaim', one.namespace, name);
      const claimed = [one.claim, one.ephemeral === '' ? '' : `${one.name}-${one.ephemeral}`];
      for (const name of claimed.filter((text) => text !== '')) {
        note('pvc', one.namespace, name);
        claims.add(`${one.namespace} ${name}`);
      }
    }
    for (const one of all) {
      if (one.type === 'pv' && one.claim !== undefined && claims.has(`${one.claim.namespace} ${one.claim.name}`)) {
        note('pv', '', one.name);
        for (const secret of one.secrets) note('secret', secret.namespace, secret.name);
      }
      if ((one.type === 'resourceslice' || one.type === 'volumeattachment') && one.node === node) {
        note(one.type, '', one.name);
      }
    }
    return found;
  }
}

function applyTo(graph: NodeGraph, { remove, model }: Step): void {
  if (model.type === 'pod') {
    if (remove) graph.removePod(model.namespace, model.name);
    else graph.setPod(podObject(model));
  } else if (model.type === 'pv') {
    if (remove) graph.removeVolume(model.name);
    else graph.setVolume(volumeObject(model));
  } else graph.place(model.type, model.name, remove ? '' : model.node);
}

const CLUSTER_SCOPED: ReadonlySet<RelatedKind> = new Set(['pv', 'resourceslice', 'volumeattachment']);

it('after any changes a node is related to exactly what a walk from its Pods finds, and nothing is left when all is gone', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const graph = new NodeGraph();
      const world = new World();
      for (const step of all) {
        applyTo(graph, step);
        world.apply(step);
      }
      const wrong: string[] = [];
      for (const node of NODES) {
        const expected = world.reachable(node);
        for (const kind of KINDS) {
          for (const namespace of CLUSTER_SCOPED.has(kind) ? [''] : NAMESPACES) {
            for (const name of [...NAMES, 'x-z', 'y-x', 'z-z', 'never']) {
              const key = [kind, namespace, name].join(' ');
              if (graph.isRelated(node, kind, namespace, name) !== expected.has(key)) wrong.push(`${node}: ${key}`);
            }
          }
        }
      }
      expect(wrong).toEqual([]);
      for (const model of world.objects.values()) applyTo(graph, { remove: true, model });
      expect(graph.size).toEqual({ pods: 0, objects: 0, volumes: 0 });
      expect(NODES.some((node) => NAMES.some((name) => graph.isRelated(node, 'secret', 'a', name)))).toBe(false);
    }),
    { numRuns: 400 },
  );
});
