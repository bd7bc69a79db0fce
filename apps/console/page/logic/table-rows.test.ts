import { describe, expect, it } from 'vitest';
import { rowEvent, rowList, type TableColumn } from './table-rows.ts';

const type = { kind: 'Pod', apiVersion: 'v1' };
const columnDefinitions = [{ name: 'Name', type: 'string' }];

function table(metadata: object, cells: readonly unknown[], columns: unknown = null): object {
  const rows = [{ cells, object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata } }];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '7' },
    columnDefinitions: columns,
    rows,
  };
}

describe('a Table', () => {
  it('of a watch becomes a row without the metadata that the page does not use', () => {
    const seen: (readonly TableColumn[])[] = [];
    const metadata = { name: 'a', uid: 'u', resourceVersion: '5', labels: { x: 'y' }, managedFields: [{}] };
    const frame = { type: 'ADDED', object: table(metadata, ['a'], columnDefinitions) };
    expect(JSON.parse(rowEvent(JSON.stringify(frame), type, (columns) => seen.push(columns)))).toEqual({
      type: 'ADDED',
      object: {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: { name: 'a', uid: 'u', resourceVersion: '5', labels: { x: 'y' } },
        cells: ['a'],
      },
    });
    expect(seen).toEqual([columnDefinitions]);
  });

  it('of a bookmark keeps the mark that ends the initial events, which is in its row', () => {
    const metadata = { resourceVersion: '7', annotations: { 'k8s.io/initial-events-end': 'true' } };
    const frame = { type: 'BOOKMARK', object: table(metadata, []) };
    expect(JSON.parse(rowEvent(JSON.stringify(frame), type, () => {}))).toEqual({
      type: 'BOOKMARK',
      object: { ...type, metadata },
    });
  });

  it('of a list becomes a list', () => {
    const text = JSON.stringify(table({ name: 'a' }, ['a'], columnDefinitions));
    expect(JSON.parse(rowList(text, type, () => {}))).toEqual({
      kind: 'PodList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '7' },
      items: [{ ...type, metadata: { name: 'a' }, cells: ['a'] }],
    });
  });

  it('that is none passes as it is: an ERROR, or objects of a server without Tables', () => {
    const error = '{"type":"ERROR","object":{"kind":"Status","code":410}}';
    expect(rowEvent(error, type, () => {})).toBe(error);
    const list = '{"kind":"PodList","items":[]}';
    expect(rowList(list, type, () => {})).toBe(list);
  });
});
