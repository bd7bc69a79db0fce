import { defaultClassName, type KubeObject } from '@listwatch/rules/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdmissionServer } from './admission-server.fixture.ts';

const STORAGE = '/apis/storage.k8s.io/v1/storageclasses';
const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims';
const INGRESS_CLASSES = '/apis/networking.k8s.io/v1/ingressclasses';
const INGRESSES = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';

function classOf(name: string, creationTimestamp: string, mark = 'true'): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name, creationTimestamp, annotations: { mark } } };
}

describe('the default class', () => {
  it('is the newest that is marked, then the first by name', () => {
    let objects = [classOf('c', '2024-01-01T00:00:00Z'), classOf('a', '2025-01-01T00:00:00Z', 'false')];
    const name = defaultClassName({ get: () => undefined, list: () => objects }, ['mark']);
    expect(name()).toBe('c');
    objects = [...objects, classOf('e', '2025-01-01T00:00:00Z'), classOf('d', '2025-01-01T00:00:00Z')];
    expect(name()).toBe('d');
    objects = [];
    expect(name()).toBeUndefined();
  });
});

describe('default classes', () => {
  let server: AdmissionServer;

  beforeEach(async () => {
    server = await AdmissionServer.start();
  });

  afterEach(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('are given to new claims that name none', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const early = await server.create(CLAIMS, { metadata: { name: 'a' }, spec });
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    await server.create(STORAGE, { metadata: { name: 's', annotations }, provisioner: 'x' });
    expect((await server.create(CLAIMS, { metadata: { name: 'b' }, spec })).spec.storageClassName).toBe('s');
    const none = { metadata: { name: 'c' }, spec: { ...spec, storageClassName: '' } };
    expect((await server.create(CLAIMS, none)).spec.storageClassName).toBe('');
    const old = { metadata: { name: 'd', annotations: { 'volume.beta.kubernetes.io/storage-class': 'z' } }, spec };
    expect((await server.create(CLAIMS, old)).spec.storageClassName).toBeUndefined();
    expect((await server.ask('PUT', `${CLAIMS}/a`, early)).spec.storageClassName).toBeUndefined();
  });

  it('are given to a new Ingress that names none', async () => {
    const spec = { defaultBackend: { service: { name: 's', port: { number: 80 } } } };
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    await server.create(INGRESS_CLASSES, { metadata: { name: 'i', annotations }, spec: { controller: 'x.y/z' } });
    expect((await server.create(INGRESSES, { metadata: { name: 'a' }, spec })).spec.ingressClassName).toBe('i');
    const old = { metadata: { name: 'b', annotations: { 'kubernetes.io/ingress.class': 'q' } }, spec };
    expect((await server.create(INGRESSES, old)).spec.ingressClassName).toBeUndefined();
  });
});
