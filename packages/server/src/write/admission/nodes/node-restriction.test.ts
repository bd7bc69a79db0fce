import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, InProcessServer } from '../../../start/in-process-server.fixture.ts';

const NODE = { name: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] };
const PODS = '/api/v1/namespaces/default/pods';
const MIRROR = { 'kubernetes.io/config.mirror': 'x' };

let server: InProcessServer;
let uid = '';

const node = (method: string, path: string, body?: unknown, type?: string): Promise<Asked> =>
  server.ask(method, path, body, { user: NODE, ...(type === undefined ? {} : { type }) });
const merge = (path: string, body: unknown): Promise<Asked> =>
  node('PATCH', path, body, 'application/merge-patch+json');

/** The message of a 403, without the object that it begins with. */
async function why(asked: Promise<Asked>): Promise<string> {
  const { status, body } = await asked;
  expect({ status, body }).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  return String(body.message).replace(/^.*? is forbidden: /u, '');
}

function pod(name: string, nodeName: string, spec: object = {}): object {
  return { metadata: { name }, spec: { nodeName, containers: [{ name: 'c', image: 'i' }], ...spec } };
}

function mirror(
  name: string,
  { owner = {}, spec = {} }: { readonly owner?: object; readonly spec?: object } = {},
): object {
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid, controller: true, ...owner }];
  return {
    metadata: { name, annotations: MIRROR, ownerReferences },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], ...spec },
  };
}

function slice(nodeName: string): object {
  return {
    metadata: { name: nodeName },
    spec: { nodeName, driver: 'd', pool: { name: nodeName, generation: 1, resourceSliceCount: 1 }, devices: [] },
  };
}

/** `/O=system:nodes/CN=system:node:n`, PKCS#10. */
const REQUEST =
  'MIHrMIGRAgEAMC8xFTATBgNVBAoMDHN5c3RlbTpub2RlczEWMBQGA1UEAwwNc3lzdGVtOm5vZGU6bjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKvAlQ5a' +
  'LpnuIdGFyiuUjQnEbOmYK48cO+MyVql5jWYk0+0i3qh6h3eYcGlXm7YcWAxBQrfNZWnmJwr+Nus5b4mgADAKBggqhkjOPQQDAgNJADBGAiEAj2u9lENZBER8' +
  'K+fH7dSnjphB1jTkWhM3tB7a+Bq5rD8CIQDIoodpCxtnNooPxYqDKzCrbRlC/4FGly+tS61+LbT5IA==';

function csr(der: string, signerName = 'kubernetes.io/kubelet-serving'): object {
  const request = Buffer.from(`-----BEGIN CERTIFICATE REQUEST-----\n${der}\n-----END CERTIFICATE REQUEST-----\n`);
  const usages = ['digital signature', 'server auth'];
  return { metadata: { generateName: 'c-' }, spec: { request: request.toString('base64'), signerName, usages } };
}

const configSource = (name: string): object => ({
  spec: { configSource: { configMap: { namespace: 'default', name, kubeletConfigKey: 'kubelet' } } },
});

beforeAll(async () => {
  server = await InProcessServer.start({ authorization: 'AlwaysAllow', admissionPlugins: ['NodeRestriction'] });
  ({ uid } = (await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'n' } })).metadata);
  await server.ok('POST', '/api/v1/nodes', { metadata: { name: 'm', labels: { a: 'b' } } });
  await server.ok('POST', PODS, pod('own', 'n'));
  await server.ok('POST', PODS, pod('other', 'm'));
  await server.ok('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('Pods', () => {
  it('are created as mirrors of what the node runs', async () => {
    expect(await node('POST', PODS, mirror('static'))).toMatchObject({ status: 201 });
    expect(await node('DELETE', `${PODS}/static?gracePeriodSeconds=0`)).toMatchObject({ status: 200 });
  });

  it.each([
    [
      'no mirror',
      () => pod('x', 'n'),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "n" can only create mirror pods',
    ],
    [
      'of another node',
      () => ({ ...pod('x', 'm'), metadata: { name: 'x', annotations: MIRROR } }),
      'node "n" can only create pods with spec.nodeName set to itself',
    ],
    [
      'without owner',
      () => ({ ...pod('x', 'n'), metadata: { name: 'x', annotations: MIRROR } }),
      'node "n" can only create pods with an owner reference set to itself',
    ],
    [
      'owned by another node',
      () => mirror('x', { owner: { name: 'm' } }),
      'node "n" can only create pods with an owner reference set to itself',
    ],
    [
      'with an owner that does not control',
      () => mirror('x', { owner: { controller: false } }),
      'node "n" can only create pods with a controller owner reference set to itself',
    ],
    [
      'that blocks the deletion of its owner',
      () => mirror('x', { owner: { blockOwnerDeletion: true } }),
      'node "n" must not set blockOwnerDeletion on an owner reference',
    ],
    ['of a former node', () => mirror('x', { owner: { uid: 'u' } }), /^node n UID mismatch: expected u got /u],
    [
      'with an account',
      () => mirror('x', { spec: { serviceAccountName: 'robot' } }),
      'node "n" can not create pods that reference serviceaccounts',
    ],
    [
      'with a pull secret',
      () => mirror('x', { spec: { imagePullSecrets: [{ name: 's' }] } }),
      'node "n" can not create pods that reference secrets',
    ],
    [
      'with a variable of a Secret',
      () =>
        mirror('x', {
          spec: {
            containers: [
              { name: 'c', image: 'i', env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
            ],
          },
        }),
      'node "n" can not create pods that reference secrets',
    ],
    [
      'with variables of a ConfigMap',
      () =>
        mirror('x', { spec: { containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 's' } }] }] } }),
      'node "n" can not create pods that reference configmaps',
    ],
    [
      'with a Secret volume',
      () => mirror('x', { spec: { volumes: [{ name: 'v', secret: { secretName: 's' } }] } }),
      'node "n" can not create pods that reference secrets',
    ],
    [
      'with a claim',
      () => mirror('x', { spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 's' } }] } }),
      'node "n" can not create pods that reference persistentvolumeclaims',
    ],
    [
      'with a driver',
      () => mirror('x', { spec: { volumes: [{ name: 'v', csi: { driver: 'd' } }] } }),
      'node "n" can not create pods that reference csidrivers (via CSI volumes)',
    ],
    [
      'with a projected token',
      () =>
        mirror('x', {
          spec: { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'p' } }] } }] },
        }),
      'node "n" can not create pods that reference serviceaccounts (via projected volumes)',
    ],
    [
      'with a resource claim',
      () => mirror('x', { spec: { resourceClaims: [{ name: 'r', resourceClaimName: 'q' }] } }),
      'node "n" can not create pods that reference resourceclaims',
    ],
  ])('are not created %s', async (_what, body, expected) => {
    const message = await why(node('POST', PODS, body()));
    if (typeof expected === 'string') expect(message).toBe(expected);
    else expect(message).toMatch(expected);
  });

  it('may mount what is on the node', async () => {
    const volumes = [
      { name: 'a', hostPath: { path: '/x' } },
      { name: 'b', emptyDir: {} },
      { name: 'c', projected: { sources: [{ downwardAPI: { items: [] } }] } },
    ];
    expect(await node('POST', PODS, mirror('mounts', { spec: { volumes } }))).toMatchObject({ status: 201 });
  });

  it('are deleted, evicted and reported on by their own node alone', async () => {
    const eviction = { metadata: { name: 'other' } };
    expect(await why(node('DELETE', `${PODS}/other`))).toBe(
      'node "n" can only delete pods with spec.nodeName set to itself',
    );
    expect(await why(node('POST', `${PODS}/other/eviction`, eviction))).toBe(
      'node n can only evict pods with spec.nodeName set to itself',
    );
    const status = { status: { message: 'x' } };
    expect(await why(merge(`${PODS}/other/status`, status))).toBe(
      'node "n" can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(await merge(`${PODS}/own/status`, status)).toMatchObject({ status: 200 });
    expect(await why(merge(`${PODS}/own/status`, { metadata: { labels: { a: 'b' } } }))).toBe(
      'node "n" cannot update labels through pod status',
    );
    const claims = { status: { resourceClaimStatuses: [{ name: 'r', resourceClaimName: 'q' }] } };
    expect(await why(merge(`${PODS}/own/status`, claims))).toBe('node "n" cannot update resource claim statues');
    expect(await node('POST', `${PODS}/gone/eviction`, { metadata: { name: 'gone' } })).toMatchObject({
      status: 404,
      body: { message: 'pod "gone" not found' },
    });
  });

  it('are not reported on by others in a large body either, which a worker thread reads', async () => {
    const status = { status: { message: 'x'.repeat(20_000) } };
    expect(await why(merge(`${PODS}/other/status`, status))).toBe(
      'node "n" can only update pod status for pods with spec.nodeName set to itself',
    );
    expect(await merge(`${PODS}/own/status`, status)).toMatchObject({ status: 200 });
  });

  it('are not changed, also not by a collection, an apply or another subresource', async () => {
    const cannot = 'unexpected operation "UPDATE", node "n" can only create and delete mirror pods';
    expect(await why(merge(`${PODS}/own`, { metadata: { labels: { a: 'b' } } }))).toBe(cannot);
    const applied = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'own', labels: { a: 'b' } } };
    expect(await why(node('PATCH', `${PODS}/own?fieldManager=x`, applied, 'application/apply-patch+yaml'))).toBe(
      cannot,
    );
    expect(await why(node('DELETE', PODS))).toBe('node "n" can only delete pods with spec.nodeName set to itself');
    expect(await server.ask('GET', `${PODS}/other`)).toMatchObject({ status: 200 });
    expect(await why(node('POST', `${PODS}/own/binding`, { metadata: { name: 'own' }, target: { name: 'n' } }))).toBe(
      `unexpected pod subresource "binding", only 'status' and 'eviction' are allowed`,
    );
  });
});

describe('Nodes', () => {
  it('change their own object alone', async () => {
    expect(await merge('/api/v1/nodes/n/status', { status: { phase: 'Running' } })).toMatchObject({ status: 200 });
    const cannot = 'node "n" is not allowed to modify node "m"';
    expect(await why(merge('/api/v1/nodes/m/status', { status: { phase: 'Running' } }))).toBe(cannot);
    expect(await why(merge('/api/v1/nodes/m', { metadata: { labels: { x: 'y' } } }))).toBe(cannot);
    expect(await why(node('DELETE', '/api/v1/nodes/m'))).toBe(cannot);
    expect(await why(node('POST', '/api/v1/nodes', { metadata: { name: 'o' } }))).toBe(
      'node "n" is not allowed to modify node "o"',
    );
  });

  it.each([
    [{ spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }, 'node "n" is not allowed to modify taints'],
    [
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'm', uid: 'u' }] } },
      'node "n" is not allowed to modify ownerReferences',
    ],
    [
      { metadata: { labels: { 'node-restriction.kubernetes.io/fips': 'true' } } },
      'is not allowed to modify labels: node-restriction.kubernetes.io/fips',
    ],
    [
      { metadata: { labels: { 'x.node-restriction.kubernetes.io/a': '1', 'a.k8s.io/b': '2', ok: '3' } } },
      'is not allowed to modify labels: a.k8s.io/b, x.node-restriction.kubernetes.io/a',
    ],
  ])('may not make %j of themselves', async (change, message) => {
    expect(await why(merge('/api/v1/nodes/n', change))).toBe(message);
    expect(await why(merge('/api/v1/nodes/n/status', change))).toBe(message);
  });

  it('keep the source of their configuration, and take no other one', async () => {
    const admins = { type: 'application/merge-patch+json' };
    expect(await server.ask('PATCH', '/api/v1/nodes/n', configSource('a'), admins)).toMatchObject({ status: 200 });
    expect(await merge('/api/v1/nodes/n', { metadata: { labels: { 'example.com/kept': 'a' } } })).toMatchObject({
      status: 200,
      body: configSource('a'),
    });
    expect(await why(merge('/api/v1/nodes/n', configSource('b')))).toBe(
      'node "n" is not allowed to update configSource to a new non-nil configSource',
    );
    expect(await merge('/api/v1/nodes/n', { spec: { configSource: null } })).toMatchObject({ status: 200 });
    expect(await why(merge('/api/v1/nodes/n', configSource('a')))).toBe(
      'node "n" is not allowed to update configSource to a new non-nil configSource',
    );
  });

  it('may set the labels of a kubelet', async () => {
    const labels = {
      'kubernetes.io/os': 'linux',
      'a.kubelet.kubernetes.io/b': 'c',
      'node.kubernetes.io/x': 'y',
      'example.com/z': 'z',
    };
    expect(await merge('/api/v1/nodes/n', { metadata: { labels } })).toMatchObject({ status: 200 });
    expect(await merge('/api/v1/nodes/n', { metadata: { labels: { 'example.com/z': null } } })).toMatchObject({
      status: 200,
    });
  });

  it('register themselves without labels of others', async () => {
    const user = { name: 'system:node:new', groups: ['system:nodes'] };
    const create = (labels: object): Promise<Asked> =>
      server.ask('POST', '/api/v1/nodes', { metadata: { name: 'new', labels } }, { user });
    expect(await why(create({ 'node-role.kubernetes.io/x': '' }))).toBe(
      'node "new" is not allowed to set the following labels: node-role.kubernetes.io/x',
    );
    expect(await create({ 'kubernetes.io/hostname': 'new' })).toMatchObject({ status: 201 });
  });
});

describe('tokens', () => {
  const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
  const ask = (ref: object | undefined, audiences: readonly string[] = []): Promise<Asked> =>
    node('POST', path, {
      spec: { audiences, ...(ref && { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...ref } }) },
    });

  it('are for Pods of the node', async () => {
    const spec = {
      serviceAccountName: 'robot',
      volumes: [
        {
          name: 't',
          projected: {
            sources: [
              { serviceAccountToken: { path: 'p', audience: 'vault' } },
              { serviceAccountToken: { path: 'q' } },
            ],
          },
        },
      ],
    };
    const { metadata } = await server.ok('POST', PODS, pod('user', 'n', spec));
    const other = await server.ok('POST', PODS, pod('far', 'm', spec));
    const ref = { name: 'user', uid: metadata.uid };
    expect(await ask(ref, ['vault'])).toMatchObject({ status: 201 });
    expect(await ask(ref)).toMatchObject({ status: 201 });
    expect(await why(ask(undefined))).toBe('node requested token not bound to a pod');
    expect(await why(ask({ name: 'user', kind: 'Secret' }))).toBe('node requested token not bound to a pod');
    expect(await why(ask({ name: 'user' }))).toBe('node requested token with a pod binding without a uid');
    expect(await why(ask({ name: 'user', uid: 'u' }))).toContain(
      'the UID in the bound object reference (u) does not match',
    );
    expect(await why(ask({ name: 'far', uid: other.metadata.uid }))).toBe(
      'node requested token bound to a pod scheduled on a different node',
    );
    expect(await ask({ name: 'gone', uid: 'u' })).toMatchObject({
      status: 404,
      body: { message: 'pod "gone" not found' },
    });
    expect(await why(ask(ref, ['vault', 'b']))).toBe('node may only request 0 or 1 audiences');
  });
});

describe('other objects', () => {
  it('are those of the node', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces';
    const csi = '/apis/storage.k8s.io/v1/csinodes';
    const own = { metadata: { name: 'n' } };
    expect(await node('POST', `${leases}/kube-node-lease/leases`, own)).toMatchObject({ status: 201 });
    expect(await why(node('POST', `${leases}/default/leases`, own))).toBe(
      'can only access leases in the "kube-node-lease" system namespace',
    );
    expect(await why(node('POST', `${leases}/kube-node-lease/leases`, { metadata: { name: 'm' } }))).toBe(
      'can only access node lease with the same name as the requesting node',
    );
    expect(await why(node('POST', `${leases}/kube-node-lease/leases`, { metadata: { generateName: 'n' } }))).toBe(
      'can only access node lease with the same name as the requesting node',
    );
    expect(await node('POST', csi, { ...own, spec: { drivers: [] } })).toMatchObject({ status: 201 });
    expect(await why(node('POST', csi, { metadata: { name: 'm' }, spec: { drivers: [] } }))).toBe(
      'can only access CSINode with the same name as the requesting node',
    );
  });

  it('keep their nodes: slices and claims', async () => {
    const slices = '/apis/resource.k8s.io/v1/resourceslices';
    expect(await node('POST', slices, slice('n'))).toMatchObject({ status: 201 });
    expect(await why(node('POST', slices, slice('m')))).toBe(
      'can only create ResourceSlice with the same NodeName as the requesting node',
    );
    await server.ok('POST', slices, slice('m'));
    expect(await why(node('DELETE', `${slices}/m`))).toBe(
      'can only delete ResourceSlice with the same NodeName as the requesting node',
    );
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await server.ok('POST', claims, { metadata: { name: 'c' }, spec });
    expect(
      await merge(`${claims}/c/status`, { status: { capacity: { storage: '1Gi' }, conditions: [] } }),
    ).toMatchObject({ status: 200 });
    expect(await why(merge(`${claims}/c/status`, { metadata: { labels: { a: 'b' } } }))).toBe(
      'node "n" is not allowed to update fields other than status.quantity and status.conditions: metadata',
    );
    expect(await why(merge(`${claims}/c`, { metadata: { labels: { a: 'b' } } }))).toBe('may only update PVC status');
  });

  it('are certificates of the node: its name is in the request', async () => {
    const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
    expect(await node('POST', path, csr(REQUEST))).toMatchObject({ status: 201 });
    const cannot = 'can only create a node CSR with CN=system:node:m';
    const user = { name: 'system:node:m', groups: ['system:nodes'] };
    expect(await why(server.ask('POST', path, csr(REQUEST), { user }))).toBe(cannot);
    expect(await why(server.ask('POST', path, csr('MAA='), { user }))).toBe(cannot);
    expect((await node('POST', path, csr(REQUEST, 'example.com/any'))).status).toBe(201);
  });

  it('are as free as without the plugin for everybody else, and for nobody called no node', async () => {
    const user = { name: 'system:node:n', groups: ['system:authenticated'] };
    expect(
      await server.ask(
        'PATCH',
        '/api/v1/nodes/m',
        { metadata: { labels: { q: 'r' } } },
        { user, type: 'application/merge-patch+json' },
      ),
    ).toMatchObject({ status: 200 });
    const nameless = { name: 'system:node:', groups: ['system:nodes'] };
    expect(await why(server.ask('DELETE', '/api/v1/nodes/m', undefined, { user: nameless }))).toBe(
      'could not determine node from user "system:node:"',
    );
  });
});
