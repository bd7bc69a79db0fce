import type { AdmissionPlugin, KubeObject } from '@listwatch/rules/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtInKind, configMap, pod } from '../../kinds/built-in-definitions.fixture.ts';
import { admissionChain, admissionPlugins } from './admission-chain.ts';
import { admissionRequest } from './admission-request.fixture.ts';
import { AdmissionServer, PODS, podOf } from './admission-server.fixture.ts';

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
      async *podsIn() {},
      authorizer: { authorize: () => ({ allowed: true }) },
      granting: async () => ({ type: 'held' }),
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
      'RoleGranting',
    ]);
    const types = plugins.flatMap((plugin) => (plugin.types === 'all' ? [] : plugin.types));
    for (const type of types.filter((one) => one !== 'core/v1.Binding')) expect(builtInKind(type).data.type).toBe(type);
  });

  it('returns an object that no plugin concerns, and one that none changes, as it is', async () => {
    const { mutate, validate } = admissionChain([
      { name: 'P', types: ['core/v1.Pod'], mutate: (request) => request.object },
    ]);
    expect(await mutate(admissionRequest(configMap, object))).toBe(object);
    expect(await mutate(admissionRequest(pod, object))).toBe(object);
    await expect(validate(admissionRequest(configMap, object))).resolves.toBeUndefined();
  });

  it('validates in its order, waits for each plugin, and ends with the first that refuses', async () => {
    const seen: string[] = [];
    const step = (name: string): AdmissionPlugin => ({
      name,
      types: name === 'all' ? 'all' : ['core/v1.Pod'],
      validate: async () => {
        await Promise.resolve();
        seen.push(name);
      },
    });
    const waiting = admissionChain([step('P'), step('Q'), step('all')]);
    await waiting.validate(admissionRequest(pod, object));
    await waiting.validate(admissionRequest(configMap, object));
    expect(seen).toStrictEqual(['P', 'Q', 'all', 'all']);
    const refusing = admissionChain([{ name: 'P', types: ['core/v1.Pod'], validate: refuse }, step('never')]);
    await expect(refusing.validate(admissionRequest(pod, object))).rejects.toThrow('no');
    expect(seen).not.toContain('never');
  });

  it('shows writes of a subresource only to the plugins that name it', async () => {
    const seen: string[] = [];
    const plugin = (name: string, subresources: AdmissionPlugin['subresources']): AdmissionPlugin => ({
      name,
      types: 'all',
      ...(subresources === undefined ? {} : { subresources }),
      validate: () => void seen.push(name),
    });
    const { validate } = admissionChain([
      plugin('object', undefined),
      plugin('resize', ['resize']),
      plugin('all', 'all'),
    ]);
    await validate({ ...admissionRequest(pod, object), subresource: 'resize' });
    await validate({ ...admissionRequest(pod, object), subresource: 'status' });
    expect(seen).toStrictEqual(['resize', 'all', 'all']);
  });

  it('gives each plugin what the one before has made', async () => {
    const { mutate } = admissionChain([
      { name: 'P', types: ['core/v1.ConfigMap'], mutate: add('p') },
      { name: 'Q', types: ['core/v1.Pod'], mutate: add('q') },
      { name: 'R', types: ['core/v1.ConfigMap', 'core/v1.Pod'], mutate: add('r') },
    ]);
    const made = await mutate(admissionRequest(configMap, object));
    expect(made.metadata.annotations).toStrictEqual({ p: '', r: '' });
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
