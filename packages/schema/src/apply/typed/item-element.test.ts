import { describe, expect, it } from 'vitest';
import type { ListSchema } from '../../schema.ts';
import { SchemaSet } from '../../schema-set.ts';
import { ApplyTypes } from '../apply-types.ts';
import { ItemProblem, itemElement, itemElementOrNone, itemProblem } from './item-element.ts';

function listOf(schema: ListSchema) {
  const { list } = new ApplyTypes(new SchemaSet()).type(schema);
  return list ?? expect.unreachable();
}

const texts = listOf({ list: 'string', listType: 'set' });
const ports = listOf({
  list: { fields: { protocol: { type: 'string', default: 'TCP' }, port: { type: 'int64' }, name: { type: 'string' } } },
  listType: 'map',
  keys: ['protocol', 'port'],
});

describe('the step to an item', () => {
  it.each([
    ['a text', texts, 'a', 'v:"a"'],
    ['a number', texts, 1, 'v:1'],
    ['a boolean', texts, true, 'v:true'],
    ['two keys, sorted by name', ports, { protocol: 'UDP', port: 53 }, 'k:{"port":53,"protocol":"UDP"}'],
    ['the same in another order', ports, { port: 53, protocol: 'UDP' }, 'k:{"port":53,"protocol":"UDP"}'],
    ['a key that has a default', ports, { port: 80, name: 'x' }, 'k:{"port":80,"protocol":"TCP"}'],
    ['a key that is missing', ports, { protocol: 'UDP' }, 'k:{"protocol":"UDP"}'],
    ['a key that is null', ports, { protocol: null, port: 1 }, 'k:{"port":1,"protocol":null}'],
  ])('has %s', (_, list, item, element) => {
    expect([itemElement(list, item), itemElementOrNone(list, item)]).toEqual([element, element]);
  });

  const plain = listOf({
    list: { fields: { b: { type: 'string' }, a: { type: 'string' } } },
    listType: 'map',
    keys: ['b', 'a'],
  });
  it.each([
    ['null in a set', texts, null, "associative list without keys has an element that's an explicit null"],
    ['an object in a set', texts, {}, "associative list without keys has an element that's a map type"],
    ['a list in a set', texts, ['a'], 'not supported: associative list with lists as elements'],
    ['null in a list with keys', plain, null, 'associative list with keys may not have a null element'],
    ['a text in a list with keys', plain, 'a', 'associative list with keys may not have non-map elements'],
    [
      'an item without its keys',
      plain,
      { c: 1 },
      'associative list with keys has an element that omits all key fields ["b" "a"] (and doesn\'t have default values for any key fields)',
    ],
  ])('cannot be told for %s', (_, list, item, message) => {
    expect(itemProblem(list, item)).toBe(message);
    expect(() => itemElement(list, item)).toThrow(new ItemProblem(message));
  });

  it('of an item that pruning has left null is in no set', () => {
    expect([itemElementOrNone(texts, null), itemElementOrNone(plain, null)]).toEqual(['', '']);
  });
});
