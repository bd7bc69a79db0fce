/** A list as a server sends it, for benches. */

/** What kind of list. */
export interface LargeListOptions {
  readonly items: number;
  /** The size of an item on the wire, about. */
  readonly itemBytes: number;
  /** What the data is: a plain text, or JSON as many ConfigMaps and annotations have it, every quote escaped. */
  readonly content: 'JSON in JSON' | 'text';
}

/** The bytes of a list of ConfigMaps. */
export function largeList({ items, itemBytes, content }: LargeListOptions): Uint8Array {
  const all = Array.from({ length: items }, (_, index) => configMap(index, itemBytes, content));
  const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '123456' }, items: all };
  return new TextEncoder().encode(JSON.stringify(list));
}

function configMap(index: number, itemBytes: number, content: LargeListOptions['content']): object {
  const metadata = {
    name: `config-map-${index}`,
    namespace: `namespace-${index % 10}`,
    uid: `6f1c9e7a-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: String(100_000 + index),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'web', tier: `tier-${index % 7}` },
    managedFields: [
      {
        manager: 'bench',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-01T00:00:00Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:settings': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } } },
      },
    ],
  };
  const empty = JSON.stringify({ metadata, data: { settings: '' } }).length;
  return { metadata, data: { settings: data(index, itemBytes - empty, content) } };
}

/** Text that takes about `bytes` on the wire. */
function data(index: number, bytes: number, content: LargeListOptions['content']): string {
  const part = content === 'text' ? `line ${index} of the settings, ` : `{"name":"n${index}","on":true},`;
  return part.repeat(Math.ceil(bytes / (JSON.stringify(part).length - 2)));
}
