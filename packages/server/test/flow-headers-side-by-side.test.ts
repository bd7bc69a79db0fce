import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { ApiClient, type ServerTarget } from '@listwatch/conformance/server';
import { createMemoryEngine } from '@listwatch/storage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer } from './test-server.ts';

const FLOWS = '/apis/flowcontrol.apiserver.k8s.io/v1';

/** A server whose headers are read as names: the uids differ between two servers. */
class FlowSide {
  readonly client: ApiClient;
  readonly #names = new Map<string, string>();

  constructor(target: ServerTarget) {
    this.client = new ApiClient(target);
  }

  async learn(): Promise<void> {
    for (const plural of ['flowschemas', 'prioritylevelconfigurations']) {
      const { items } = JSON.parse((await this.client.get(`${FLOWS}/${plural}`)).text);
      for (const { metadata } of items) this.#names.set(metadata.uid, metadata.name);
    }
  }

  async answer(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
    const answer = await this.client.request(method, path, { headers });
    const named = (header: string): string => {
      const uid = answer.headers[header];
      return typeof uid === 'string' ? (this.#names.get(uid) ?? 'unknown') : 'none';
    };
    return `${named('x-kubernetes-pf-flowschema-uid')} ${named('x-kubernetes-pf-prioritylevel-uid')}`;
  }
}

const as = (user: string, ...groups: string[]): Record<string, string> => ({
  'impersonate-user': user,
  ...(groups.length > 0 && { 'impersonate-group': groups.join(',') }),
});
const NODE = as('system:node:n', 'system:nodes');
const ACCOUNT = as('system:serviceaccount:kube-system:x', 'system:serviceaccounts');
const PODS = '/api/v1/namespaces/default/pods';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

const REQUESTS: readonly [method: string, path: string, headers?: Record<string, string>][] = [
  ['GET', PODS],
  ['GET', '/version'],
  ['GET', '/healthz'],
  ['GET', '/nope'],
  ['GET', '/api/v1/nope'],
  ['GET', `${PODS}/none/log`],
  ['GET', `${PODS}/none/proxy/`],
  ['GET', `${PODS}?watch=1&timeoutSeconds=1`],
  ['GET', PODS, as('ann')],
  ['GET', '/healthz', as('ann')],
  ['GET', '/livez/ping', as('ann')],
  ['GET', PODS, NODE],
  ['PATCH', '/api/v1/nodes/n/status', NODE],
  ['GET', '/api/v1/nodes/n', NODE],
  ['GET', `${LEASES}/x`, as('system:kube-scheduler')],
  ['GET', `${LEASES}/x`, as('system:kube-controller-manager')],
  ['GET', PODS, as('system:kube-scheduler')],
  ['GET', PODS, ACCOUNT],
  ['GET', `${LEASES}/x`, ACCOUNT],
  ['GET', PODS, { authorization: 'Bearer wrong' }],
  ['GET', PODS, { authorization: '' }],
  ['GET', PODS, { 'impersonate-uid': 'u' }],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', as('ann')],
];

describe('the headers of flow control', needs('kube-apiserver'), () => {
  const disposables: AsyncDisposable[] = [];
  const sides: FlowSide[] = [];

  beforeAll(async () => {
    const real = await startKubeApiserver();
    const engine = createMemoryEngine();
    const own = await startTestServer(engine);
    disposables.push(real, own, { [Symbol.asyncDispose]: () => engine.close() });
    sides.push(new FlowSide(real), new FlowSide(own));
    for (const side of sides) await side.learn();
  }, 120_000);
  afterAll(async () => {
    for (const { client } of sides) client.close();
    for (const one of disposables) await one[Symbol.asyncDispose]();
  });

  it.each(REQUESTS.map(([method, path, headers = {}]) => [method, path, headers] as const))(
    '%s %s %o: the same schema and level',
    async (method, path, headers) => {
      const [real, own] = await Promise.all(sides.map((side) => side.answer(method, path, headers)));
      expect(own).toBe(real);
    },
  );

  it('follow the objects: a new schema takes its requests, and none when it is gone', async () => {
    const body = {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'FlowSchema',
      metadata: { name: 'mine' },
      spec: {
        matchingPrecedence: 2,
        priorityLevelConfiguration: { name: 'workload-high' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'ann' } }],
            resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['pods'], namespaces: ['default'] }],
          },
        ],
      },
    };
    for (const side of sides) {
      await side.client.request('POST', `${FLOWS}/flowschemas`, { body });
      await side.learn();
      await vi.waitFor(
        async () => expect(await side.answer('GET', PODS, as('ann'))).toBe('mine workload-high'),
        20_000,
      );
      expect(await side.answer('GET', '/api/v1/pods', as('ann'))).toBe('global-default global-default');
      await side.client.request('DELETE', `${FLOWS}/flowschemas/mine`);
      await vi.waitFor(
        async () => expect(await side.answer('GET', PODS, as('ann'))).toBe('global-default global-default'),
        20_000,
      );
    }
  }, 60_000);
});
