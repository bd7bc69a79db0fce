import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RowView, rowMatcher, rowOrder, sortValue } from './row-order.ts';
import { finishSorting } from './sorted-in-steps.ts';
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
  it.each([
    ['moved one by one', 64],
    ['merged', 0],
  ])('stand as if they were sorted and searched anew when changes are %s', (_, movedOneByOne) => {
    fc.assert(
      fc.property(views, fc.array(views, { maxLength: 3 }), views, batches, (first, given, last, all) => {
        const sorted = new SortedRows(first, movedOneByOne);
        const objects = new Map<string, TableRow>();
        const take = (view: RowView): void => {
          for (const batch of all) {
            const changes = new Map(batch.map(([name, n]) => [name, n === undefined ? undefined : row(name, n)]));
            for (const [name, object] of changes) {
              if (object === undefined) objects.delete(name);
              else objects.set(name, object);
            }
            sorted.apply(changes, false);
            expect(sorted.rows.map(({ object }) => object)).toEqual(anew(view, objects));
          }
        };
        take(first);
        // Orders that are left before they are complete.
        for (const view of given) sorted.show(view).next();
        finishSorting(sorted.show(last));
        expect(sorted.rows.map(({ object }) => object)).toEqual(anew(last, objects));
        expect(sorted.total).toBe(objects.size);
        take(last);
      }),
      { numRuns: 250 },
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

  it('stay the same rows when nothing has changed', () => {
    const sorted = new SortedRows({ columns, search: '', sort: '', descending: false });
    const object = row('a', 0);
    sorted.apply(new Map([['a', object]]), true);
    const [before] = sorted.rows;
    sorted.apply(new Map([['a', object]]), false);
    expect(sorted.rows[0]).toBe(before);
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

  it('sort 20 000 rows in short steps', () => {
    const sorted = new SortedRows({ columns, search: '', sort: '', descending: false });
    const all = Array.from({ length: 20_000 }, (_, index) => String((index * 7919) % 20_000).padStart(5, '0'));
    for (let from = 0; from < all.length; from += 4000)
      sorted.apply(new Map(all.slice(from, from + 4000).map((name, index) => [name, row(name, index)])), true);
    expect(sorted.rows.map(({ key }) => key)).toEqual(all.toSorted());
    const steps = sorted.show({ columns, search: '', sort: 'Name', descending: true });
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect(count).toBeGreaterThan(30);
    expect(sorted.rows.map(({ key }) => key)).toEqual(all.toSorted().toReversed());
  });
});

const batches = fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 6 });

function anew(view: RowView, all: ReadonlyMap<string, TableRow>): readonly TableRow[] {
  return [...all]
    .filter(([, object]) => rowMatcher(view.search)(object))
    .map(([key, object]) => ({ key, object, sortBy: sortValue(object, view), changes: 0 }))
    .toSorted(rowOrder(view.descending))
    .map(({ object }) => object);
}
