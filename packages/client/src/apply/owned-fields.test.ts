import type { ApiObject } from '@listwatch/api';
import { expect, it } from 'vitest';
import { extractOwned } from './owned-fields.ts';

interface Entry {
  readonly manager: string;
  readonly fields: object;
  readonly operation?: 'Apply' | 'Update';
  readonly subresource?: string;
}

function object(fields: object, ...entries: readonly Entry[]): ApiObject {
  const managedFields = entries.map(({ manager, fields: fieldsV1, operation = 'Apply', subresource }) => ({
    manager,
    operation,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1' as const,
    fieldsV1,
    ...(subresource === undefined ? {} : { subresource }),
  }));
  const { metadata, ...rest } = fields as { metadata?: object };
  const made = {
    apiVersion: 'v1',
    kind: 'K',
    metadata: { name: 'x', namespace: 'n', ...metadata, managedFields },
    ...rest,
  };
  return made;
}

const identity = { apiVersion: 'v1', kind: 'K', metadata: { name: 'x', namespace: 'n' } };

it('gives the fields of the manager, with what names the object', () => {
  const made = object(
    { metadata: { labels: { a: '1', b: '2' }, uid: 'u' }, data: { k: '1', l: '2' }, other: 1 },
    { manager: 'a', fields: { 'f:metadata': { 'f:labels': { 'f:a': {} } }, 'f:data': { 'f:k': {} } } },
    { manager: 'b', fields: { 'f:data': { 'f:l': {} } } },
  );
  expect(extractOwned(made, 'a')).toEqual({
    ...identity,
    metadata: { ...identity.metadata, labels: { a: '1' } },
    data: { k: '1' },
  });
  expect(extractOwned(made, 'b')).toEqual({ ...identity, data: { l: '2' } });
});

it('takes applies through the asked endpoint only', () => {
  const made = object(
    { spec: { a: 1 }, status: { b: 2 } },
    { manager: 'a', operation: 'Update', fields: { 'f:spec': { 'f:a': {} } } },
    { manager: 'a', subresource: 'status', fields: { 'f:status': { 'f:b': {} } } },
  );
  expect(extractOwned(made, 'a')).toBeUndefined();
  expect(extractOwned(made, 'a', { subresource: 'status' })).toEqual({ ...identity, status: { b: 2 } });
  expect(extractOwned({ metadata: { name: 'x' } }, 'a')).toBeUndefined();
});

it('takes items of lists by their keys, with keys that the server has filled in', () => {
  const ports = [
    { containerPort: 80, protocol: 'TCP', name: 'theirs' },
    { containerPort: 80, protocol: 'UDP' },
  ];
  const key = 'k:{"containerPort":80,"protocol":"TCP"}';
  const made = object(
    { ports, finalizers: ['a', 'b'], owners: [{ uid: 'u', name: 'o' }], args: ['x'] },
    {
      manager: 'a',
      fields: {
        'f:ports': { [key]: { '.': {}, 'f:containerPort': {} } },
        'f:finalizers': { 'v:"b"': {} },
        'f:owners': { 'k:{"uid":"u"}': {} },
        'f:args': {},
      },
    },
    { manager: 'b', fields: { 'f:ports': { [key]: { '.': {}, 'f:containerPort': {}, 'f:name': {} } } } },
  );
  expect(extractOwned(made, 'a')).toEqual({
    ...identity,
    ports: [{ containerPort: 80, protocol: 'TCP' }],
    finalizers: ['b'],
    owners: [{ uid: 'u', name: 'o' }],
    args: ['x'],
  });
});

it('takes a map as a whole unless others own members of it', () => {
  const atomic = object({ selector: { a: '1' } }, { manager: 'a', fields: { 'f:selector': {} } });
  expect(extractOwned(atomic, 'a')).toEqual({ ...identity, selector: { a: '1' } });
  const empty = object(
    { data: { k: '1' } },
    { manager: 'a', fields: { 'f:data': {} } },
    { manager: 'b', operation: 'Update', fields: { 'f:data': { '.': {}, 'f:k': {} } } },
  );
  expect(extractOwned(empty, 'a')).toEqual({ ...identity, data: {} });
});

it('a field called __proto__ is a field, and odd keys name nothing', () => {
  const data: unknown = JSON.parse('{"__proto__":"1","toString":"2"}');
  const fields = JSON.parse('{"f:data":{"f:__proto__":{}},"f:list":{"k:not json":{},"k:7":{},"x":{}}}');
  const made = object({ data, list: [{ a: 1 }] }, { manager: 'a', fields });
  const owned = JSON.stringify(extractOwned(made, 'a'));
  expect(owned).toContain('"data":{"__proto__":"1"}');
  expect(owned).toContain('"list":[]');
});
