import { describe, expect, it } from 'vitest';
import { rowDecoder, rowList, type TableColumn, type TableRow } from './table-rows.ts';

const SILENT = { onColumns: () => {} };
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
    const arrived: TableRow[] = [];
    const sink = {
      onColumns: (columns: readonly TableColumn[]) => seen.push(columns),
      onRow: (row: TableRow) => arrived.push(row),
    };
    const metadata = { name: 'a', uid: 'u', resourceVersion: '5', labels: { x: 'y' }, managedFields: [{}] };
    const frame = JSON.stringify({ type: 'ADDED', object: table(metadata, ['a'], columnDefinitions) });
    const from = frame.indexOf('{"kind"');
    const { object, end } = rowDecoder(type, sink).next(new TextEncoder().encode(`${frame}\n${frame}`), from);
    expect(object).toEqual({
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'a', uid: 'u', resourceVersion: '5', labels: { x: 'y' } },
      cells: ['a'],
    });
    expect(end).toBe(frame.length - 1);
    expect(seen).toEqual([columnDefinitions]);
    expect(arrived).toEqual([object]);
  });

  it.each([
    ['an object of a server without Tables', { kind: 'Pod', metadata: { name: 'a' } }, { name: 'a' }],
    ['a Table without cells', table({ name: 'a' }, []), { name: 'a' }],
  ])('%s is a row as well', (_, object, metadata) => {
    const json = new TextEncoder().encode(JSON.stringify(object));
    expect(rowDecoder(type, SILENT).one(json).metadata).toEqual(metadata);
  });

  it.each([
    ['no rows', { kind: 'Table', rows: [] }],
    ['no name', table({}, [])],
    ['null', null],
  ])('with %s is refused: a row without a name has no place in a table', (_, object) => {
    const json = new TextEncoder().encode(JSON.stringify(object));
    expect(() => rowDecoder(type, SILENT).one(json)).toThrow('without the name');
  });

  it('of a list becomes a list', () => {
    const text = JSON.stringify(table({ name: 'a' }, ['a'], columnDefinitions));
    expect(JSON.parse(rowList(text, type, SILENT))).toEqual({
      kind: 'PodList',
      apiVersion: 'v1',
      metadata: { resourceVersion: '7' },
      items: [{ ...type, metadata: { name: 'a' }, cells: ['a'] }],
    });
  });

  it('of a list that is none passes as it is: a server without Tables sends objects', () => {
    const list = '{"kind":"PodList","items":[]}';
    expect(rowList(list, type, SILENT)).toBe(list);
  });
});
