import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInKind, configMap, pod } from '../../kinds/built-in-definitions.test-d.ts';
import type { KubeObject } from '../../kinds/resource-definition.ts';
import { admissionChain, admissionPlugins } from './admission-chain.ts';
import type { AdmissionPlugin } from './admission-plugin.ts';
import { AdmissionServer, PODS, podOf } from './admission-server.test-d.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const VOLUMES = '/api/v1/persistentvolumes';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';

const object: KubeObject = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' } };

function add(name: string): (request: { readonly object: KubeObject }) => KubeObject {
  return ({ object: { metadata, ...rest } }) => ({
    ...rest,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [name]: '' } },
  });
}

function stay(key: string): object {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
}

function refuse(): never {
  throw new Error('no');
}

describe('the chain of admission', () => {
  it('has the plugins in the order of Kubernetes', () => {
    const plugins = admissionPlugins({
      objects: () => ({ get: () => undefined, list: () => [] }),
      lookup: () => () => undefined,
      storedNamespace: async () => undefined,
      podsIn: () => [],
      authorizer: { authorize: () => ({ allowed: true }) },
      quotas: { charge: () => undefined },
    });
    expect(plugins.map(({ name }) => name)).toStrictEqual([
      'LimitRanger',
      'TaintNodesByCondition',
      'PodSecurity',
      'Priority',
      'DefaultTolerationSeconds',
      'DefaultStorageClass',
      'StorageObjectInUseProtection',
      'PersistentVolumeClaimResize',
      'RuntimeClass',
      'CertificateApproval',
      'CertificateSigning',
      'CertificateSubjectRestriction',
      'DefaultIngressClass',
      'PodTopologyLabels',
      'NodeDeclaredFeatureValidator',
      'PodResizeValidator',
      'DeviceAdminAccess',
      'ResourceQuota',
    ]);
    const types = plugins.flatMap((plugin) => (plugin.types === 'all' ? [] : plugin.types));
    for (const type of types.filter((one) => one !== 'core/v1.Binding')) expect(builtInKind(type).data.type).toBe(type);
  });

  it('returns an object that no plugin concerns, and one that none changes, as it is', () => {
    const { admit, review } = admissionChain([
      { name: 'P', types: ['core/v1.Pod'], admit: (request) => request.object },
    ]);
    expect(admit(configMap, object)).toBe(object);
    expect(admit(pod, object)).toBe(object);
    expect(() => review(configMap, object)).not.toThrow();
  });

  it('confirms in its order, without a promise when nobody waits, and ends with the first that refuses', async () => {
    const seen: string[] = [];
    const step = (name: string, result?: Promise<void>): AdmissionPlugin => ({
      name,
      types: name === 'all' ? 'all' : ['core/v1.Pod'],
      confirm: () => {
        seen.push(name);
        return result;
      },
    });
    const write = { object, subresource: 'x' };
    const options = { request: { throwIfAborted: () => undefined, user: { name: 'a', groups: [] } }, dryRun: false };
    const waiting = admissionChain([step('P'), step('Q', Promise.resolve()), step('all')]);
    await waiting.confirm({ ...write, definition: pod }, options);
    expect(waiting.confirm({ ...write, definition: configMap }, options)).toBeUndefined();
    expect(seen).toStrictEqual(['P', 'Q', 'all', 'all']);
    const refusing = admissionChain([{ name: 'P', types: ['core/v1.Pod'], confirm: refuse }, step('never')]);
    await expect(refusing.confirm({ ...write, definition: pod }, options)).rejects.toThrow('no');
    expect(seen).not.toContain('never');
  });

  it('gives each plugin what the one before has made', () => {
    const { admit } = admissionChain([
      { name: 'P', types: ['core/v1.ConfigMap'], admit: add('p') },
      { name: 'Q', types: ['core/v1.Pod'], admit: add('q') },
      { name: 'R', types: ['core/v1.ConfigMap', 'core/v1.Pod'], admit: add('r') },
    ]);
    expect(admit(configMap, object).metadata.annotations).toStrictEqual({ p: '', r: '' });
  });
});

describe('admission without other kinds', () => {
  let server: AdmissionServer;

  beforeEach(async () => {
    server = await AdmissionServer.start();
  });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('taints a new Node once, and leaves updates alone', async () => {
    const path = '/api/v1/nodes';
    const taint = { key: NOT_READY, effect: 'NoSchedule' };
    const other = { key: 'a', effect: 'NoSchedule' };
    const { spec, metadata } = await server.create(path, { metadata: { name: 'n' }, spec: { taints: [other] } });
    expect(spec.taints).toStrictEqual([other, taint]);
    const twice = await server.create(path, { metadata: { name: 'o' }, spec: { taints: [taint] } });
    expect(twice.spec.taints).toStrictEqual([taint]);
    expect((await server.ask('PUT', `${path}/n`, { metadata, spec: {} })).spec.taints).toBeUndefined();
  });

  it('lets pods stay for 300 s on a lost node unless they tolerate it themselves', async () => {
    const { spec } = await server.create(PODS, podOf('a'));
    expect(spec.tolerations).toStrictEqual([stay(NOT_READY), stay(UNREACHABLE)]);
    const all = [{ operator: 'Exists' }];
    expect((await server.create(PODS, podOf('b', { tolerations: all }))).spec.tolerations).toStrictEqual(all);
    const some = [
      { key: NOT_READY, operator: 'Exists', effect: 'NoSchedule' },
      { key: UNREACHABLE, operator: 'Exists' },
    ];
    const mixed = await server.create(PODS, podOf('c', { tolerations: some }));
    expect(mixed.spec.tolerations).toStrictEqual([...some, stay(NOT_READY)]);
  });

  it('protects new volumes and claims, and lets a controller take the finalizer off', async () => {
    const capacity = { storage: '1Gi' };
    const accessModes = ['ReadWriteOnce'];
    const volume = { metadata: { name: 'v' }, spec: { capacity, accessModes, hostPath: { path: '/x' } } };
    expect((await server.create(VOLUMES, volume)).metadata.finalizers).toStrictEqual(['kubernetes.io/pv-protection']);
    const claim = {
      metadata: { name: 'c', finalizers: ['x.io/y'] },
      spec: { accessModes, resources: { requests: capacity } },
    };
    const { metadata } = await server.create(CLAIMS, claim);
    expect(metadata.finalizers).toStrictEqual(['x.io/y', 'kubernetes.io/pvc-protection']);
    const patch = { metadata: { finalizers: null } };
    const patched = await server.ask('PATCH', `${CLAIMS}/c`, patch, 'application/merge-patch+json');
    expect(patched.metadata.finalizers).toBeUndefined();
  });

  it('stores the added fields in the order of the kind', async () => {
    const { spec } = await server.create(PODS, podOf('a'));
    const names = Object.keys(spec);
    expect(names.indexOf('tolerations')).toBeLessThan(names.indexOf('priority'));
    expect(names.at(-1)).toBe('preemptionPolicy');
  });
});
