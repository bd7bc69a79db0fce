import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RowView } from './row-order.ts';
import { SortedRows } from './sorted-rows.ts';
import type { TableRow } from './table-rows.ts';

const columns = [
  { name: 'Name', type: 'string' },
  { name: 'Restarts', type: 'integer' },
];

function row(name: string, restarts: number): TableRow {
  return { metadata: { name, labels: { app: `app-${restarts % 2}` } }, cells: [name, restarts] };
}

const names = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const change = fc.tuple(names, fc.option(fc.nat(5), { nil: undefined }));
const views: fc.Arbitrary<RowView> = fc.record({
  columns: fc.constant(columns),
  search: fc.constantFrom('', 'a', 'app=app-1', '3'),
  sort: fc.constantFrom('', 'Name', 'Restarts', 'Gone'),
  descending: fc.boolean(),
});

describe('rows that are kept sorted', () => {
  it('stand as if they were sorted and searched anew', () => {
    fc.assert(
      fc.property(views, views, fc.array(fc.array(change, { maxLength: 5 })), (first, last, batches) => {
        const sorted = new SortedRows(first);
        const all = new Map<string, TableRow>();
        for (const batch of batches) {
          const changes = new Map(
            batch.map(([name, restarts]) => [name, restarts === undefined ? undefined : row(name, restarts)]),
          );
          for (const [name, object] of changes) {
            if (object === undefined) all.delete(name);
            else all.set(name, object);
          }
          sorted.apply(changes, false);
          expect(sorted.rows.map(({ object }) => object)).toEqual(anew(first, all));
        }
        sorted.show(last);
        expect(sorted.rows.map(({ object }) => object)).toEqual(anew(last, all));
        expect(sorted.total).toBe(all.size);
      }),
      { numRuns: 500 },
    );
  });

  it('count the changes of a row, but not its first state', () => {
    const sorted = new SortedRows({ columns, search: '', sort: '', descending: false });
    sorted.apply(new Map([['a', row('a', 0)]]), true);
    expect(sorted.rows[0]?.changes).toBe(0);
    sorted.apply(new Map([['a', row('a', 1)]]), false);
    sorted.apply(new Map([['a', row('a', 2)]]), false);
    expect(sorted.rows[0]?.changes).toBe(2);
  });

  it('sort sizes and fractions by their value, ages by the time', () => {
    const sorted = new SortedRows({
      columns: [{ name: 'Size', type: 'string' }],
      search: '',
      sort: 'Size',
      descending: false,
    });
    const sizes = ['10Gi', '9Gi', '500m', '2', '1/3', '1Ki', 'none'];
    sorted.apply(new Map(sizes.map((size) => [size, { metadata: { name: size }, cells: [size] }])), true);
    expect(sorted.rows.map(({ key }) => key)).toEqual(['500m', '1/3', '2', '1Ki', '9Gi', '10Gi', 'none']);
  });
});

function anew(view: RowView, all: ReadonlyMap<string, TableRow>): readonly TableRow[] {
  const fresh = new SortedRows(view);
  // More than a few at once are sorted as a whole.
  const padding = Array.from({ length: 200 }, (_, index) => [`zz${index}`, undefined] as const);
  fresh.apply(new Map([...all, ...padding]), true);
  return fresh.rows.map(({ object }) => object);
}
