/** Metadata that is changed in one way at a time, for objects of any kind. */

type Metadata = Readonly<Record<string, unknown>>;

/** A change of metadata, with its name. */
export interface MetadataMutation {
  readonly title: string;
  readonly change: (metadata: Metadata) => Metadata;
  /** Default: new objects and changes. */
  readonly only?: 'create' | 'update';
}

const LARGE = 256 * 1024 + 1;
const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
const manager = { manager: 'm', operation: 'Update', apiVersion: 'v1', time: '2026-01-01T00:00:00Z' };

function set(title: string, members: Metadata, only?: 'create' | 'update'): MetadataMutation {
  return { title, change: (metadata) => ({ ...metadata, ...members }), ...(only === undefined ? {} : { only }) };
}

function named(name: string): MetadataMutation {
  return set(`name ${name.length > 20 ? `of ${name.length}` : name}`, { name }, 'create');
}

function generated(generateName: string): MetadataMutation {
  return set(`generateName ${generateName.slice(0, 20)}`, { name: undefined, generateName }, 'create');
}

export const METADATA_MUTATIONS: readonly MetadataMutation[] = [
  ...['Upper', 'a_b', 'a:b', 'a.b', 'a..b', '-a', 'a/b', '.', '..', 'a%b', 'é', 'system:a', '10.1.2.3'].map(named),
  named('x'.repeat(64)),
  named('x'.repeat(254)),
  set('no name', { name: undefined }, 'create'),
  generated('gen-'),
  generated('Gen_'),
  generated('g'.repeat(300)),
  set('another name', { name: 'another' }, 'update'),
  set('another generateName', { generateName: 'gen-' }, 'update'),
  set('finalizer without a domain', { finalizers: ['foo'] }),
  set('finalizer with a domain', { finalizers: ['example.com/foo'] }),
  set('finalizer that is no name', { finalizers: ['a b!'] }),
  set('finalizer that is empty', { finalizers: [''] }),
  set('finalizer that is long', { finalizers: [`example.com/${'f'.repeat(64)}`] }),
  set('finalizers that are known', { finalizers: ['kubernetes', 'orphan'] }),
  set('finalizers that exclude each other', { finalizers: ['orphan', 'foregroundDeletion'] }),
  set('finalizer twice', { finalizers: ['example.com/a', 'example.com/a'] }),
  set('labels', { labels: { a: 'b', 'example.com/c': '' } }),
  set('label that is no name', { labels: { 'A b!': 'v' } }),
  set('label without a name', { labels: { '': 'v', 'example.com/': 'v' } }),
  set('label whose value is wrong', { labels: { a: '-b', c: 'd e', e: 'x'.repeat(64) } }),
  set('label that is a number', { labels: { a: 1 } }),
  set('annotation that is no name', { annotations: { 'A b!': 'v', 'a/b/c': 'v' } }),
  set('annotation in upper case', { annotations: { 'Example.com/A': 'v' } }),
  set('annotations that are too large', { annotations: { a: 'x'.repeat(LARGE) } }),
  set('owner that is empty', { ownerReferences: [{}] }),
  set('owner', { ownerReferences: [owner] }),
  set('owner of a wrong version', { ownerReferences: [{ ...owner, apiVersion: 'a/b/c' }] }),
  set('owner that is an event', { ownerReferences: [{ ...owner, kind: 'Event' }] }),
  set('owner twice', { ownerReferences: [owner, owner] }),
  set('two controllers', {
    ownerReferences: ['a', 'b'].map((uid) => ({
      ...owner,
      uid,
      name: uid,
      controller: true,
      blockOwnerDeletion: true,
    })),
  }),
  set('managedFields without a type', { managedFields: [{ ...manager, fieldsV1: {} }] }),
  set('managedFields of a wrong operation', {
    managedFields: [{ ...manager, operation: 'X', fieldsType: 'FieldsV1', fieldsV1: {} }],
  }),
  set('managedFields that cannot be read', {
    managedFields: [{ ...manager, fieldsType: 'FieldsV1', fieldsV1: { x: {} } }],
  }),
  set('managedFields of a long manager', {
    managedFields: [{ ...manager, manager: 'm'.repeat(200), fieldsType: 'FieldsV1', fieldsV1: {} }],
  }),
  set('deletionTimestamp', { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 5 }),
  set('deletionGracePeriodSeconds', { deletionGracePeriodSeconds: -1 }),
  set('creationTimestamp', { creationTimestamp: '2020-01-01T00:00:00Z' }),
  set('generation', { generation: 7 }),
  set('negative generation', { generation: -1 }),
  set('selfLink', { selfLink: '/x' }),
  set('uid', { uid: 'u' }),
  set('resourceVersion', { resourceVersion: '7' }, 'create'),
  set('resourceVersion that is no number', { resourceVersion: 'x' }, 'update'),
  set('no resourceVersion', { resourceVersion: undefined }, 'update'),
  set('another namespace', { namespace: 'another' }),
  set('namespace that is no name', { namespace: 'A b!' }),
];
