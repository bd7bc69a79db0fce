import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient, type ServerTarget } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AskedReview, type ReviewReply, ReviewWebhook } from '../src/access/webhook/review-webhook.fixture.ts';
import { ConfiguredAuthorization, parseAuthorizationConfiguration } from '../src/authorizers.ts';
import { startTestServer } from './test-server.ts';

const REVIEWS = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const NODE = { user: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] };

/** A server with a webhook of its own. */
class AuthorizerSide {
  readonly client: ApiClient;
  readonly webhook: ReviewWebhook;

  constructor(target: ServerTarget, webhook: ReviewWebhook) {
    this.client = new ApiClient(target);
    this.webhook = webhook;
  }

  /** The status of a review, or that of the answer. */
  async review(spec: object): Promise<unknown> {
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
    const { status, text } = await this.client.request('POST', REVIEWS, { body });
    return status === 201 ? JSON.parse(text).status : [status, text];
  }

  /** What a user is answered, and what the webhook was asked. */
  async ask(method: string, path: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
    const before = this.webhook.asked.length;
    const { status, text } = await this.client.request(method, path, { headers });
    const asked = this.webhook.asked.slice(before).map(({ target, body }) => ({ target, body }));
    return { status, text: status >= 400 ? text : '', asked };
  }
}

/** The name of the user says what is answered. */
function reply({ body }: AskedReview): ReviewReply {
  switch (body.spec.user) {
    case 'allowed':
      return { allowed: true, reason: 'as you like' };
    case 'denied':
      return { allowed: false, denied: true, reason: 'by no means' };
    case 'both':
      return { allowed: true, denied: true, reason: 'well' };
    case 'fails':
      return [400, 'no such thing'];
    case 'fails-with-403':
      return [403, 'not you'];
    case 'fails-with-503':
      return [503, ''];
    case 'fails-with-418':
      return [418, 'tea'];
    case 'fails-twice':
      return [500, 'not now'];
    default:
      return { allowed: false, reason: 'who is that?' };
  }
}

const CONDITIONS = [
  "!('skipped' in request.groups)",
  "request.user != 'condition-fails' || request.resourceAttributes.namespace == 'a'",
];

function configuration(kubeConfigFile: string): string {
  const webhook = (failurePolicy: string): object => ({
    timeout: '10s',
    authorizedTTL: '1ms',
    unauthorizedTTL: '1ms',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy,
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile },
    matchConditions: [
      ...CONDITIONS.map((expression) => ({ expression })),
      { expression: `('strict' in request.groups) == ${failurePolicy === 'Deny'}` },
    ],
  });
  return JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [
      { type: 'Node', name: 'node' },
      { type: 'Webhook', name: 'lenient', webhook: webhook('NoOpinion') },
      { type: 'Webhook', name: 'strict', webhook: webhook('Deny') },
      { type: 'RBAC', name: 'rbac' },
    ],
  });
}

const kubeconfig = (server: string): string =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server } }],
    users: [{ name: 'u', user: {} }],
  });

const pod = (name: string, nodeName: string | undefined, spec: object, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...more },
  spec: { ...(nodeName && { nodeName }), containers: [{ name: 'c', image: 'i' }], ...spec },
});
const secretVolume = (name: string): object => ({ volumes: [{ name: 'v', secret: { secretName: name } }] });
const POD = '/api/v1/namespaces/a/pods';

const OBJECTS: readonly (readonly [path: string, object: object])[] = [
  ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }],
  ['/api/v1/namespaces/a/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }],
  ['/api/v1/namespaces/a/serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'account' } }],
  ['/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } }],
  ['/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'm' } }],
  [POD, pod('waiting', undefined, secretVolume('waiting'))],
  [POD, pod('theirs', 'm', { ...secretVolume('theirs'), serviceAccountName: 'default' })],
  [
    POD,
    pod('mine', 'n', {
      serviceAccountName: 'account',
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'pulled' }],
      initContainers: [
        { name: 'i', image: 'i', env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'initial', key: 'k' } } }] },
      ],
      containers: [
        {
          name: 'c',
          image: 'i',
          envFrom: [{ configMapRef: { name: 'from' } }, { secretRef: { name: 'from' } }],
          env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'keyed', key: 'k' } } }],
        },
      ],
      volumes: [
        { name: 'a', configMap: { name: 'mounted' } },
        {
          name: 'b',
          projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'projected' } }] },
        },
        { name: 'c', persistentVolumeClaim: { claimName: 'claim' } },
        {
          name: 'd',
          ephemeral: {
            volumeClaimTemplate: {
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          },
        },
        { name: 'e', csi: { driver: 'd', nodePublishSecretRef: { name: 'published' } } },
        {
          name: 'f',
          iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:x', lun: 0, secretRef: { name: 'iscsi' } },
        },
      ],
      resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
    }),
  ],
  [
    '/api/v1/persistentvolumes',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'volume' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        claimRef: { namespace: 'a', name: 'claim' },
        csi: {
          driver: 'd',
          volumeHandle: 'h',
          nodeStageSecretRef: { namespace: 'storage', name: 'staged' },
          nodePublishSecretRef: { namespace: 'storage', name: 'published' },
          controllerPublishSecretRef: { namespace: 'storage', name: 'controlled' },
        },
      },
    },
  ],
  [
    '/apis/storage.k8s.io/v1/volumeattachments',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'attached' },
      spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'volume' } },
    },
  ],
  [
    '/apis/resource.k8s.io/v1/resourceslices',
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'slice' },
      spec: { driver: 'd', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices: [] },
    },
  ],
];

/** Every kind that a node is judged by, and some others, with the names of objects that there are. */
const TARGETS: readonly (readonly [
  group: string,
  resource: string,
  namespaces: readonly string[],
  names: readonly string[],
])[] = [
  [
    '',
    'secrets',
    ['', 'a', 'b', 'storage'],
    [
      '',
      'pulled',
      'initial',
      'from',
      'projected',
      'published',
      'iscsi',
      'staged',
      'controlled',
      'theirs',
      'waiting',
      'none',
    ],
  ],
  ['', 'configmaps', ['', 'a'], ['', 'from', 'keyed', 'mounted', 'projected', 'none']],
  ['', 'persistentvolumeclaims', ['', 'a'], ['', 'claim', 'mine-d', 'none']],
  ['', 'persistentvolumes', [''], ['', 'volume', 'none']],
  ['resource.k8s.io', 'resourceclaims', ['', 'a'], ['', 'gpu', 'none']],
  ['resource.k8s.io', 'resourceslices', [''], ['', 'slice', 'none']],
  ['storage.k8s.io', 'volumeattachments', [''], ['', 'attached', 'none']],
  ['storage.k8s.io', 'csinodes', [''], ['', 'n', 'm']],
  ['storage.k8s.io', 'csidrivers', [''], ['', 'd']],
  ['', 'serviceaccounts', ['', 'a'], ['', 'account', 'default', 'none']],
  ['coordination.k8s.io', 'leases', ['', 'a', 'kube-node-lease'], ['', 'n', 'm']],
  ['', 'nodes', [''], ['', 'n', 'm']],
  ['', 'pods', ['', 'a'], ['', 'mine', 'theirs', 'waiting', 'none']],
  ['', 'services', ['', 'a'], ['', 'none']],
  ['', 'events', ['a'], ['', 'none']],
  ['certificates.k8s.io', 'podcertificaterequests', ['a'], ['', 'none']],
  ['certificates.k8s.io', 'certificatesigningrequests', [''], ['', 'none']],
  ['authorization.k8s.io', 'subjectaccessreviews', [''], ['']],
];
const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection', 'bind', '*', ''];
const SUBRESOURCES = ['', 'status', 'token', 'log', 'exec', 'eviction', 'binding', 'proxy', '*'];
const SELECTORS = [undefined, 'spec.nodeName=n', 'spec.nodeName=m', 'spec.nodeName!=m'];

function* questions(): Generator<object> {
  for (const [group, resource, namespaces, names] of TARGETS) {
    for (const namespace of namespaces) {
      for (const name of names) {
        for (const verb of VERBS) {
          for (const subresource of SUBRESOURCES) {
            for (const rawSelector of name === '' && subresource === '' ? SELECTORS : [undefined]) {
              const fieldSelector = rawSelector === undefined ? {} : { fieldSelector: { rawSelector } };
              yield { group, version: 'v1', resource, subresource, namespace, name, verb, ...fieldSelector };
            }
          }
        }
      }
    }
  }
}

const as = (user: string, ...groups: readonly string[]): Record<string, string> => ({
  'impersonate-user': user,
  ...(groups.length > 0 && { 'impersonate-group': groups.join(',') }),
});

const REQUESTS: readonly (readonly [method: string, path: string, headers: Readonly<Record<string, string>>])[] = [
  ['GET', '/api/v1/namespaces/a/secrets', as('ann')],
  ['GET', '/api/v1/namespaces/a/secrets', as('allowed')],
  ['GET', '/api/v1/namespaces/a/secrets', as('denied')],
  ['GET', '/api/v1/namespaces/a/secrets', as('both')],
  ['GET', '/api/v1/namespaces/a/secrets', as('fails')],
  ['GET', '/api/v1/namespaces/a/secrets', as('fails', 'strict')],
  ['GET', '/version', as('fails')],
  ['GET', '/version', as('fails', 'strict')],
  ['GET', '/api/v1/namespaces/a/secrets', as('fails-with-403')],
  ['GET', '/api/v1/namespaces/a/secrets', as('fails-with-503')],
  ['GET', '/api/v1/namespaces/a/secrets', as('fails-with-418')],
  ['GET', '/api/v1/namespaces/a/secrets', as('fails-twice')],
  ['GET', '/api/v1/namespaces/a/secrets', as('ann', 'skipped')],
  ['GET', '/api/v1/namespaces/a/secrets', as('condition-fails')],
  ['GET', '/metrics', as('condition-fails')],
  ['GET', '/metrics', as('condition-fails', 'strict')],
  ['GET', '/metrics', as('condition-fails', 'skipped')],
  ['GET', '/api/v1/namespaces/a/pods?watch=1&labelSelector=a%3Db%2Cc+in+(d%2Ce)%2C!f%2Cg', as('ann')],
  ['GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn%2Cmetadata.name!%3Dx%2Cstatus.phase%3D%3DRunning', as('ann')],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx&labelSelector=a%3E5', as('ann')],
  ['GET', '/api/v1/pods?fieldSelector=%3D%3D%3D&labelSelector=!!', as('ann')],
  ['GET', '/api/v1/watch/pods?fieldSelector=spec.nodeName%3Dn', as('ann')],
  ['GET', '/api/v1/namespaces/a/pods/mine?fieldSelector=spec.nodeName%3Dn', as('ann')],
  ['DELETE', '/api/v1/namespaces/a/pods?labelSelector=x', as('ann')],
  ['DELETE', '/api/v1/namespaces/a/pods/mine', as('ann')],
  ['POST', '/api/v1/namespaces/a/pods/mine/exec?command=x', as('ann')],
  ['PUT', '/apis/apps/v1/namespaces/a/deployments/d/scale', as('ann')],
  ['PATCH', '/api/v1/nodes/n/status', as('ann')],
  ['OPTIONS', '/api/v1/nodes', as('ann')],
  ['GET', '/api/v1/namespaces/a', as('ann')],
  ['GET', '/nothing%20here', as('ann')],
  ['HEAD', '/healthz', as('ann')],
  [
    'GET',
    '/api/v1/pods',
    { ...as('ann', 'one'), 'impersonate-uid': 'u', 'impersonate-extra-b.io%2Fz': 'y', 'impersonate-extra-a': 'x' },
  ],
  ['GET', '/api/v1/pods', as('system:serviceaccount:a:account')],
  ['GET', '/api/v1/namespaces/a/secrets/theirs', as('system:node:n', 'system:nodes')],
  ['GET', '/api/v1/namespaces/a/secrets', as('system:node:n', 'system:nodes')],
  ['GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn', as('system:node:n', 'system:nodes')],
  ['GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dm', as('system:node:n', 'system:nodes')],
];

describe('the Node and the webhook authorizer', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  const sides: AuthorizerSide[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-authorizers-'));

  beforeAll(async () => {
    const hooks = await Promise.all([ReviewWebhook.start(), ReviewWebhook.start()]);
    const texts = hooks.map((hook, index) => {
      hook.reply = reply;
      const path = join(folder, `webhook-${index}`);
      writeFileSync(path, kubeconfig(hook.url));
      writeFileSync(join(folder, `config-${index}`), configuration(path));
      return configuration(path);
    });
    const real = await startKubeApiserver({ flags: [`--authorization-config=${join(folder, 'config-0')}`] });
    const [theirs, ours] = hooks;
    const authorization = await ConfiguredAuthorization.create(parseAuthorizationConfiguration(texts[1] ?? ''), {
      clock: backgroundClock,
      connect: async () => ({ url: ours?.url ?? '' }),
    });
    const engine = createMemoryEngine();
    const own = await startTestServer(engine, { authorization });
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() }, ...hooks);
    if (theirs === undefined || ours === undefined) throw new TypeError('there are two webhooks');
    sides.push(new AuthorizerSide(real, theirs), new AuthorizerSide(own, ours));
    for (const { client } of sides) {
      for (const [path, body] of OBJECTS) {
        const { status, text } = await client.request('POST', path, { body });
        if (status !== 201 && status !== 409) throw new Error(`${path}: ${text}`);
      }
    }
    // The graph of kube-apiserver follows its informers.
    const related = [
      'volumeattachments attached storage.k8s.io',
      'resourceslices slice resource.k8s.io',
      'persistentvolumes volume ',
    ];
    for (const side of sides) {
      for (const one of related) {
        const [resource, name, group] = one.split(' ');
        const spec = { ...NODE, resourceAttributes: { verb: 'get', resource, name, group } };
        await vi.waitFor(async () => expect(await side.review(spec)).toEqual({ allowed: true }), 30_000);
      }
    }
  }, 180_000);
  afterAll(async () => {
    for (const { client } of sides) client.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('say the same of a node, every kind, verb, subresource, name and selector', async () => {
    // Without an opinion of the webhook the answer is that of the Node authorizer.
    for (const { webhook } of sides) webhook.reply = () => ({ allowed: false });
    const different: unknown[] = [];
    let count = 0;
    for (const resourceAttributes of questions()) {
      const spec = { ...NODE, groups: [...NODE.groups, 'skipped'], resourceAttributes };
      const [real, own] = await Promise.all(sides.map((side) => side.review(spec)));
      count += 1;
      if (JSON.stringify(real) !== JSON.stringify(own)) different.push({ resourceAttributes, real, own });
    }
    expect(different.slice(0, 5)).toEqual([]);
    expect(count).toBeGreaterThan(5000);
    for (const { webhook } of sides) webhook.reply = reply;
  }, 600_000);

  it.each(REQUESTS)(
    '%s %s as %o: the same answer and the same questions',
    async (method, path, headers) => {
      const [real, own] = await Promise.all(sides.map((side) => side.ask(method, path, headers)));
      expect(own).toEqual(real);
    },
    30_000,
  );

  it('say the same in reviews of failures, and in the list of rules', async () => {
    for (const user of ['fails', 'both', 'denied', 'allowed', 'condition-fails']) {
      for (const groups of [[], ['strict']]) {
        const spec = { user, groups, nonResourceAttributes: { path: '/x', verb: 'get' } };
        const [real, own] = await Promise.all(sides.map((side) => side.review(spec)));
        expect({ spec, status: own }).toEqual({ spec, status: real });
      }
    }
    const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
    for (const headers of [as('ann'), as('system:node:n', 'system:nodes')]) {
      const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: 'a' } };
      const answers = sides.map(async ({ client }) => {
        const { status, text } = await client.request('POST', path, { body, headers });
        const { incomplete, evaluationError } = JSON.parse(text).status ?? {};
        return { status, incomplete, evaluationError };
      });
      const [real, own] = await Promise.all(answers);
      expect(own).toEqual(real);
    }
  }, 60_000);
});
