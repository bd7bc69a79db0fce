import {
  ApplyTypes,
  applyConfiguration,
  canonical,
  DecodePlans,
  FieldSet,
  fieldPath,
  type OwnershipContext,
  type TypeName,
  trackUpdate,
  zeroObject,
} from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { loadSchemas } from '../src/load-schemas.ts';

type Json = Readonly<Record<string, unknown>>;

const schemas = await loadSchemas();
const types = new ApplyTypes(schemas);
const plans = new DecodePlans(schemas);
const status = FieldSet.of(fieldPath('status'));

function contextOf(type: TypeName, apiVersion: string): OwnershipContext {
  return {
    apiVersion,
    kind: type.slice(type.lastIndexOf('.') + 1),
    typeOf: (version) => (version === apiVersion ? types.type(type) : undefined),
    resetFields: () => status,
    zero: () => zeroObject(schemas, type),
    now: () => '2026-01-01T00:00:00Z',
  };
}

/** What the creator of an object owns. The object has its defaults. */
function createdFields(type: TypeName, apiVersion: string, object: Json): unknown {
  const next = canonical(plans.struct(type), { apiVersion, ...object });
  const [entry] = trackUpdate(contextOf(type, apiVersion), { live: undefined, next, manager: 'm' }) ?? [];
  return entry?.fieldsV1;
}

/** What the applier of a new object owns. */
function appliedFields(type: TypeName, apiVersion: string, object: Json): unknown {
  const context = contextOf(type, apiVersion);
  const config = { apiVersion, kind: context.kind, ...object };
  const result = applyConfiguration(context, { live: undefined, config, manager: 'm' });
  return result.outcome === 'applied' ? result.managedFields?.[0]?.fieldsV1 : result.message;
}

const ports = [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }];

describe('what the creator of a built-in object owns', () => {
  it('Pod: all defaults, but no containers that Go always writes', () => {
    const spec = {
      containers: [
        {
          name: 'c',
          image: 'i',
          imagePullPolicy: 'Always',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      restartPolicy: 'Always',
      schedulerName: 'default-scheduler',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    };
    expect(JSON.stringify(createdFields('core/v1.Pod', 'v1', { metadata: { name: 'p' }, spec }))).toBe(
      '{"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}',
    );
  });

  it('Service: the list of ports itself, and its selector as a whole', () => {
    const spec = {
      internalTrafficPolicy: 'Cluster',
      ports: [{ name: 't', port: 80, protocol: 'TCP', targetPort: 80 }],
      selector: { a: 'b' },
      sessionAffinity: 'None',
      type: 'ClusterIP',
    };
    expect(JSON.stringify(createdFields('core/v1.Service', 'v1', { metadata: { name: 's' }, spec }))).toBe(
      '{"f:spec":{"f:internalTrafficPolicy":{},"f:ports":{".":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{},"f:port":{},"f:protocol":{},"f:targetPort":{}}},"f:selector":{},"f:sessionAffinity":{},"f:type":{}}}',
    );
  });

  it('PriorityClass: no value that is 0 as in an empty object', () => {
    const type = 'scheduling/v1.PriorityClass';
    expect(createdFields(type, 'scheduling.k8s.io/v1', { value: 0 })).toBeUndefined();
    expect(createdFields(type, 'scheduling.k8s.io/v1', { value: 5 })).toEqual({ 'f:value': {} });
    expect(appliedFields(type, 'scheduling.k8s.io/v1', { value: 0 })).toEqual({ 'f:value': {} });
  });

  it('generateName, but neither name nor namespace', () => {
    const metadata = { name: 'a', namespace: 'n', generateName: 'a-' };
    expect(createdFields('core/v1.ConfigMap', 'v1', { metadata })).toEqual({ 'f:metadata': { 'f:generateName': {} } });
  });
});

describe('what the applier of a built-in object owns', () => {
  it('Deployment: only what it has sent', () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', ports }] } };
    const spec = { replicas: 2, selector: { matchLabels: { a: 'b' } }, template };
    expect(JSON.stringify(appliedFields('apps/v1.Deployment', 'apps/v1', { metadata: { name: 'd' }, spec }))).toBe(
      '{"f:spec":{"f:replicas":{},"f:selector":{},"f:template":{"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:image":{},"f:name":{},"f:ports":{"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}},"k:{\\"containerPort\\":80,\\"protocol\\":\\"UDP\\"}":{".":{},"f:containerPort":{},"f:protocol":{}}}}}}}}}',
    );
  });

  it.each<[string, TypeName, string, Json, unknown]>([
    [
      'owner references are owned as a whole, by their uid',
      'core/v1.ConfigMap',
      'v1',
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }] } },
      { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u"}': {} } } },
    ],
    [
      'finalizers are a set',
      'core/v1.ConfigMap',
      'v1',
      { metadata: { finalizers: ['b', 'a'] } },
      { 'f:metadata': { 'f:finalizers': { 'v:"a"': {}, 'v:"b"': {} } } },
    ],
    [
      'image pull secrets of a Pod are owned by name, tolerations and arguments as a whole',
      'core/v1.Pod',
      'v1',
      { spec: { imagePullSecrets: [{ name: 'p' }], tolerations: [{ key: 'a' }], nodeSelector: { a: 'b' } } },
      { 'f:spec': { 'f:imagePullSecrets': { 'k:{"name":"p"}': {} }, 'f:nodeSelector': {}, 'f:tolerations': {} } },
    ],
    [
      'a name that is missing is an empty one in the key',
      'core/v1.Pod',
      'v1',
      { spec: { containers: [{ name: 'c', env: [{ value: 'x' }] }] } },
      {
        'f:spec': {
          'f:containers': {
            'k:{"name":"c"}': { '.': {}, 'f:env': { 'k:{"name":""}': { '.': {}, 'f:value': {} } }, 'f:name': {} },
          },
        },
      },
    ],
    ['an empty map is owned', 'core/v1.ConfigMap', 'v1', { data: {} }, { 'f:data': {} }],
    ['stringData of a Secret', 'core/v1.Secret', 'v1', { stringData: { a: 'b' } }, { 'f:stringData': { 'f:a': {} } }],
    ['nothing of the status', 'apps/v1.Deployment', 'apps/v1', { status: { replicas: 4 } }, undefined],
  ])('%s', (_, type, apiVersion, object, fields) => {
    expect(appliedFields(type, apiVersion, object)).toEqual(fields);
  });

  it.each<[TypeName, string, Json, string]>([
    [
      'core/v1.ConfigMap',
      'v1',
      { data: { a: true } },
      '.data.a: expected string, got &value.valueUnstructured{Value:true}',
    ],
    ['apps/v1.Deployment', 'apps/v1', { spec: { foo: 1 } }, '.spec.foo: field not declared in schema'],
    [
      'core/v1.Pod',
      'v1',
      { spec: { containers: [{ name: 'c', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }] } },
      '.spec.containers[name="c"].ports: duplicate entries for key [containerPort=80,protocol="TCP"]',
    ],
    [
      'core/v1.Pod',
      'v1',
      { spec: { containers: [{ name: 'c', env: [{ value: 'x' }, { value: 'y' }] }] } },
      '.spec.containers[name="c"].env: duplicate entries for key [name=""]',
    ],
  ])('%s refuses %j', (type, apiVersion, object, message) => {
    expect(() => appliedFields(type, apiVersion, object)).toThrow(message);
  });
});

describe('types of every built-in kind', () => {
  it('can be made to their last field', () => {
    const seen = new Set<object>();
    const visit = (type: ReturnType<ApplyTypes['type']>): void => {
      if (seen.has(type)) return;
      seen.add(type);
      if (type.list !== undefined) visit(type.list.item);
      if (type.map?.element !== undefined) visit(type.map.element);
      for (const field of type.map?.fields.values() ?? []) visit(field.type);
    };
    for (const type of ['core/v1.Pod', 'apps/v1.Deployment', 'apiextensions/v1.CustomResourceDefinition'] as const) {
      visit(types.type(type));
    }
    // Types refer to themselves: without an end, this would not stop.
    expect(seen.size).toBeGreaterThan(250);
  });
});
