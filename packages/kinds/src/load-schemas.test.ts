import { type Schema, type SchemaNode, schemaNode } from '@listwatch/schema';
import { describe, expect, test } from 'vitest';
import { FEATURE_GATES, KIND_TABLE } from './generated/kind-table.ts';
import { SCHEMA_LOADERS } from './generated/schema-loaders.ts';
import { loadSchemas } from './load-schemas.ts';

const all = await loadSchemas();
const packages = await Promise.all(Object.values(SCHEMA_LOADERS).map((load) => load()));

/** Every schema within a schema, itself included. */
function* within(schema: Schema): Iterable<SchemaNode> {
  const node = schemaNode(schema);
  yield node;
  if ('list' in node) yield* within(node.list);
  if ('map' in node) yield* within(node.map);
  if ('fields' in node) for (const field of Object.values(node.fields)) yield* within(field);
}

const named = packages.flatMap(({ name, types }) =>
  Object.entries(types).map(([type, schema]) => [`${name}.${type}`, schema] as const),
);

test('every name in every schema leads to a schema', () => {
  expect(named.length).toBeGreaterThan(700);
  for (const [, schema] of named) for (const node of within(schema)) expect(() => all.resolve(node)).not.toThrow();
});

test.each(packages)('$name leads only to packages that are loaded with it', async ({ name, types }) => {
  const schemas = await loadSchemas([name]);
  for (const schema of Object.values(types))
    for (const node of within(schema)) expect(() => schemas.resolve(node)).not.toThrow();
});

test('a package is loaded with what it refers to, and with nothing else', async () => {
  const schemas = await loadSchemas(['coordination/v1']);
  expect(schemas.has('coordination/v1.Lease')).toBe(true);
  expect(schemas.has('meta/v1.ObjectMeta')).toBe(true);
  expect(schemas.has('core/v1.Pod')).toBe(false);
});

test('an unknown package is an error that lists the known ones', async () => {
  await expect(loadSchemas(['core/v2'])).rejects.toThrow('there are no schemas of core/v2; known are');
  await expect(loadSchemas(['constructor'])).rejects.toThrow(RangeError);
});

test.each(KIND_TABLE)('$group/$version $kind has schemas for its objects, its lists and its subresources', (kind) => {
  const { type, listType, subresources } = kind;
  expect(all.at(type, ['metadata'])).toMatchObject({ type: 'meta/v1.ObjectMeta', number: 1 });
  expect(all.field(type, 'apiVersion')).toEqual({ type: 'string' });
  if (listType !== undefined) expect(all.at(listType, ['items', 0])).toEqual({ type });
  expect(listType !== undefined).toBe(kind.verbs.includes('list'));
  for (const subresource of Object.values(subresources)) expect(all.has(subresource.type)).toBe(true);
});

test('the fields of a struct have numbers of their own in protobuf', () => {
  for (const [name, schema] of named) {
    if (!('fields' in schema)) continue;
    const numbers = Object.values(schema.fields).flatMap(({ number, within: around = [] }) =>
      number === undefined ? [] : [[...around, number].join('.')],
    );
    expect(new Set(numbers).size, name).toBe(numbers.length);
  }
});

describe('facts', () => {
  test.each([
    // A list by keys, whose strategic merge uses one of them.
    [
      'core/v1.Container',
      'ports',
      {
        list: 'core/v1.ContainerPort',
        listType: 'map',
        keys: ['containerPort', 'protocol'],
        patchStrategy: 'merge',
        patchMergeKey: 'containerPort',
        number: 6,
      },
    ],
    [
      'core/v1.PodSpec',
      'volumes',
      { patchStrategy: 'merge,retainKeys', patchMergeKey: 'name', listType: 'map', keys: ['name'] },
    ],
    ['core/v1.PodSpec', 'tolerations', { listType: 'atomic' }],
    ['core/v1.PodSpec', 'nodeSelector', { map: 'string', mapType: 'atomic' }],
    ['core/v1.PodSpec', 'containers', { required: true, always: true, number: 2 }],
    ['core/v1.ContainerPort', 'protocol', { type: 'core/v1.Protocol', default: 'TCP' }],
    ['core/v1.AzureDiskVolumeSource', 'cachingMode', { default: 'ReadWrite', pointer: true }],
    ['meta/v1.ObjectMeta', 'finalizers', { list: 'string', listType: 'set', patchStrategy: 'merge' }],
    ['meta/v1.ObjectMeta', 'creationTimestamp', { type: 'time', omitZero: true, number: 8 }],
    ['meta/v1.ObjectMeta', 'uid', { type: 'types.UID', number: 5 }],
    // Inlined in JSON, a message of its own in protobuf; twice in one case.
    ['core/v1.Volume', 'hostPath', { type: 'core/v1.HostPathVolumeSource', pointer: true, number: 1, within: [2] }],
    ['admissionregistration/v1.NamedRuleWithOperations', 'apiGroups', { number: 1, within: [2, 2] }],
    ['authentication/v1.UserInfo', 'extra', { map: 'authentication/v1.ExtraValue' }],
    ['batch/v1.JobStatus', 'conditions', { listType: 'atomic', patchStrategy: 'merge', patchMergeKey: 'type' }],
    [
      'resource/v1.CounterSet',
      'name',
      { markers: ['alpha(since: "1.36")=+k8s:required', 'alpha(since: "1.36")=+k8s:format=k8s-short-name'] },
    ],
  ] as const)('%s.%s', (type, field, facts) => {
    expect(all.field(type, field)).toMatchObject(facts);
  });

  test.each([
    ['core/v1.Protocol', { type: 'string', enum: ['SCTP', 'TCP', 'UDP'] }],
    ['discovery/v1.AddressType', { type: 'string', enum: ['FQDN', 'IPv4', 'IPv6'] }],
    ['core/v1.ResourceList', { map: 'quantity' }],
    ['authentication/v1.ExtraValue', { list: 'string', wrapped: true }],
    ['meta/v1.LabelSelector', { mapType: 'atomic' }],
    ['apiextensions/v1.JSONSchemaPropsOrBool', { form: 'orBool' }],
  ])('%s', (type, facts) => {
    expect(all.resolve(all.get(type))).toMatchObject(facts);
  });

  test('Pod is selected by its fields, and Event is served by two groups', () => {
    const pod = KIND_TABLE.find(({ kind }) => kind === 'Pod');
    expect(pod?.selectableFields).toEqual([
      'metadata.name',
      'metadata.namespace',
      'spec.host',
      'spec.hostNetwork',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.nominatedNodeName',
      'status.phase',
      'status.podIP',
      'status.podIPs',
    ]);
    expect(Object.keys(pod?.subresources ?? {})).toContain('ephemeralcontainers');
    expect(KIND_TABLE.filter(({ kind }) => kind === 'Event').map(({ group }) => group)).toEqual(['', 'events.k8s.io']);
  });

  test('fields name their feature gates, and the gates are known', () => {
    expect(all.field('resource/v1.Device', 'bindsToNode')).toMatchObject({
      gates: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'],
    });
    expect(FEATURE_GATES).toMatchObject({ InPlacePodVerticalScaling: true, ShardedListAndWatch: false });
  });
});
