import { needs } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KINDS_NAMESPACE } from './kind-side.ts';
import { KindSides } from './kind-sides.ts';

type Fields = Readonly<Record<string, unknown>>;

const PODS = `/api/v1/namespaces/${KINDS_NAMESPACE}/pods`;
const MERGE = 'application/merge-patch+json';

const container = (resources?: Fields, name = 'c'): Fields => ({ name, image: 'i', ...(resources && { resources }) });
const small = { requests: { cpu: '100m', memory: '10Mi' }, limits: { cpu: '200m', memory: '20Mi' } };
const pod = (spec: Fields, name = 'p'): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [container()], automountServiceAccountToken: false, ...spec },
});

/** Whole pods, each created by both servers. */
const CREATED: Readonly<Record<string, Fields>> = {
  'limits and no requests': { resources: { limits: { cpu: '1', memory: '1Gi' } } },
  'limits, and requests of containers': {
    resources: { limits: { cpu: '1', memory: '1Gi' } },
    containers: [container(small), container(small, 'd')],
  },
  'requests only': { resources: { requests: { cpu: '1', memory: '1Gi' } } },
  'requests equal to limits': { resources: { requests: { cpu: '1', memory: '1' }, limits: { cpu: '1', memory: '1' } } },
  'one of two amounts': { resources: { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } } },
  'nothing in it': { resources: {} },
  'empty maps': { resources: { requests: {}, limits: {} } },
  'requests below those of the containers': {
    resources: { requests: { cpu: '150m', memory: '1Gi' } },
    containers: [container(small), container(small, 'd')],
  },
  'requests above the limits': { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } },
  'limits below those of a container': {
    resources: { limits: { cpu: '150m', memory: '15Mi' } },
    containers: [container(small)],
  },
  'an init container that needs more': {
    resources: { limits: { cpu: '1' } },
    initContainers: [container({ requests: { cpu: '900m' } }, 'i')],
  },
  'a sidecar': {
    resources: { limits: { cpu: '1' } },
    containers: [container({ requests: { cpu: '100m' } })],
    initContainers: [{ ...container({ requests: { cpu: '300m' } }, 'i'), restartPolicy: 'Always' }],
  },
  'huge pages of a container': {
    resources: { limits: { cpu: '1' } },
    containers: [container({ limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } })],
  },
  'huge pages of the pod': { resources: { limits: { cpu: '1', 'hugepages-2Mi': '4Mi' } } },
  'huge pages that are requested only': { resources: { requests: { cpu: '1', 'hugepages-2Mi': '4Mi' } } },
  'huge pages below those of a container': {
    resources: { limits: { cpu: '2', 'hugepages-2Mi': '2Mi' } },
    containers: [container({ limits: { 'hugepages-2Mi': '4Mi', cpu: '1' } })],
  },
  'huge pages alone': { resources: { limits: { 'hugepages-2Mi': '4Mi' } } },
  'other resources': { resources: { limits: { 'ephemeral-storage': '1Gi', 'example.com/gpu': '1', bad: '1' } } },
  'a name that is none': { resources: { requests: { 'A b!': '1' } } },
  'a negative amount': { resources: { requests: { cpu: '-1' } } },
  claims: { resources: { claims: [{ name: 'x' }] } },
  'claims of the pod': {
    resources: { claims: [{ name: 'x' }], limits: { cpu: '1' } },
    resourceClaims: [{ name: 'x', resourceClaimName: 'y' }],
  },
  windows: { resources: { limits: { cpu: '-1' } }, os: { name: 'windows' } },
  'overhead beside it': { resources: { limits: { cpu: '1' } }, overhead: { cpu: '1' } },
};

const WHOLE = { requests: { cpu: '500m', memory: '100Mi' }, limits: { cpu: '1', memory: '200Mi' } };

/** Resizes of a pod with `WHOLE` and a container of `small`, as merge patches of its spec. */
const RESIZED: readonly (readonly [string, Fields])[] = [
  ['nothing', {}],
  ['more of both', { resources: { requests: { cpu: '600m' }, limits: { memory: '300Mi' } } }],
  ['a container beside it', { containers: [container({ ...small, requests: { cpu: '150m', memory: '10Mi' } })] }],
  ['less than the containers request', { resources: { requests: { cpu: '50m' } } }],
  ['less than a container may have', { resources: { limits: { cpu: '100m' }, requests: { cpu: '100m' } } }],
  ['a removed request', { resources: { requests: { memory: null } } }],
  ['a removed limit', { resources: { limits: { cpu: null } } }],
  ['all removed', { resources: null }],
  ['huge pages', { resources: { limits: { 'hugepages-2Mi': '2Mi' } } }],
  ['another class', { resources: { requests: { cpu: '1', memory: '200Mi' } } }],
  ['another image', { containers: [{ ...container(small), image: 'other' }] }],
  ['another name', { containers: [container(small, 'other')] }],
  ['one more container', { containers: [container(small), container(small, 'd')] }],
  ['one more init container', { initContainers: [container(small, 'd')] }],
  [
    'another resource of a container',
    { containers: [container({ ...small, limits: { ...small.limits, 'example.com/x': '1' } })] },
  ],
  ['a removed request of a container', { containers: [container({ ...small, requests: { cpu: '100m' } })] }],
  ['another host', { hostname: 'h' }],
  [
    'a negative request of a container',
    { containers: [container({ ...small, requests: { cpu: '-1', memory: '1' } })] },
  ],
];

describe('the resources of a whole pod, by a kube-apiserver and by ours', needs('kube-apiserver'), () => {
  let sides: KindSides;

  beforeAll(async () => {
    sides = await KindSides.start();
  }, 120_000);
  afterAll(() => sides?.[Symbol.asyncDispose]());

  it.each(Object.entries(CREATED))('a new pod: %s', async (_, spec) => {
    const [real, own] = await sides.answers({ method: 'POST', path: `${PODS}?dryRun=All`, body: pod(spec) });
    expect(own).toBe(real);
  });

  it.each(Object.entries(CREATED))('in a template: %s', async (_, spec) => {
    const template = { metadata: { labels: { a: 'b' } }, spec: pod(spec)['spec'] };
    const body = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    };
    const path = `/apis/apps/v1/namespaces/${KINDS_NAMESPACE}/deployments?dryRun=All`;
    const [real, own] = await sides.answers({ method: 'POST', path, body });
    expect(own).toBe(real);
  });

  it.each([
    ['with resources of its own', 'whole', { resources: WHOLE, containers: [container(small)] }],
    ['without', 'parts', { containers: [container(small)] }],
    [
      'with init containers',
      'first',
      {
        containers: [container(small)],
        initContainers: [container(small, 'i'), { ...container(small, 's'), restartPolicy: 'Always' }],
      },
    ],
    [
      'with claims',
      'claims',
      {
        containers: [container({ ...small, claims: [{ name: 'x' }] })],
        resourceClaims: [{ name: 'x', resourceClaimName: 'y' }],
      },
    ],
  ] as const)('a pod %s is resized and changed alike', async (_, name, spec) => {
    const created = await sides.answers({ method: 'POST', path: PODS, body: pod(spec, name) });
    expect(created[1]).toBe(created[0]);
    const init = 'initContainers' in spec ? spec.initContainers : [];
    const ofInit: readonly (readonly [string, Fields])[] = init.map((_one, at) => [
      `init container ${at}`,
      { initContainers: init.map((one, index) => (index === at ? { ...one, resources: WHOLE } : one)) },
    ]);
    const headers = { 'content-type': MERGE };
    for (const [what, change] of [...RESIZED, ...ofInit]) {
      for (const end of ['/resize', '']) {
        const path = `${PODS}/${name}${end}?dryRun=All`;
        const [real, own] = await sides.answers({ method: 'PATCH', path, headers, body: { spec: change } });
        expect.soft(`${what}${end}\n${own}`).toBe(`${what}${end}\n${real}`);
      }
    }
    const status = { conditions: [], containerStatuses: [{ name: 'c', state: { running: {} }, ready: true }] };
    for (const end of ['/status', '/resize']) {
      const body =
        end === '/status' ? { status } : { spec: { containers: [container({ ...small, requests: { cpu: '1m' } })] } };
      const [real, own] = await sides.answers({ method: 'PATCH', path: `${PODS}/${name}${end}`, headers, body });
      expect.soft(own).toBe(real);
    }
  });
});
