import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditableList } from './editable-list.ts';

describe('EditableList', () => {
  it('does what an array does, across its chunks', () => {
    const step = fc.record({ kind: fc.constantFrom('insert', 'remove', 'set'), place: fc.nat(), item: fc.nat() });
    fc.assert(
      fc.property(fc.nat(6000), fc.array(step, { maxLength: 200 }), (length, steps) => {
        const array = Array.from({ length }, (_, index) => index);
        const list = new EditableList(array);
        for (const { kind, place, item } of steps) {
          if (kind === 'insert') {
            list.insert(place % (array.length + 1), item);
            array.splice(place % (array.length + 1), 0, item);
          } else if (array.length > 0) {
            const index = place % array.length;
            if (kind === 'set') [array[index]] = [item];
            else array.splice(index, 1);
            if (kind === 'set') list.set(index, item);
            else list.remove(index);
            if (index < array.length) expect(list.get(index)).toBe(array[index]);
          }
        }
        expect([list.length, list.items()]).toEqual([array.length, array]);
      }),
      { numRuns: 50 },
    );
  });

  it('grows from nothing, at its end and at its start', () => {
    const list = new EditableList([]);
    for (let item = 0; item < 5000; item++) list.insert(item % 2 === 0 ? list.length : 0, item);
    expect(list.length).toBe(5000);
    expect([list.get(0), list.get(2499), list.get(2500), list.get(4999)]).toEqual([4999, 1, 0, 4998]);
  });

  it('leaves the array that it was made from alone', () => {
    const array = [1, 2];
    new EditableList(array).insert(0, 0);
    expect(array).toEqual([1, 2]);
  });
});
