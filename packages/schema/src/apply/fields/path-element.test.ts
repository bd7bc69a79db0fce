import { expect, it } from 'vitest';
import { elementText, sortedElements } from './path-element.ts';

it.each([
  ['f:name', '.name'],
  ['i:3', '[3]'],
  ['v:"a"', '[="a"]'],
  ['v:[1,true,null]', '[=[1,true,null]]'],
  ['v:{"a":1,"b":"c"}', '[=a=1b="c"]'],
  ['k:{"containerPort":80,"protocol":"TCP"}', '[containerPort=80,protocol="TCP"]'],
])('%s is shown as %s', (element, text) => {
  expect(elementText(element, 'integer')).toBe(text);
});

it('numbers of stored sets are shown as floats', () => {
  expect(elementText('v:1000000', 'float')).toBe('[=1e+06]');
  expect(elementText('v:1000000', 'integer')).toBe('[=1000000]');
});

it('fields are in the order of their bytes, where that of JavaScript is another', () => {
  const beyond = 'f:\u{1f600}';
  const before = 'f:\uff5e';
  expect([beyond, before].toSorted()).toEqual([beyond, before]);
  expect(sortedElements([beyond, before, 'f:a'])).toEqual(['f:a', before, beyond]);
});

it('items are in the order of their values: numbers, texts, booleans, lists, null', () => {
  const sorted = ['k:{"a":9}', 'k:{"a":10}', 'v:9', 'v:10', 'v:"b"', 'v:false', 'v:true', 'v:[1]', 'v:[1,2]', 'v:null'];
  expect(sortedElements(sorted.toReversed())).toEqual(sorted);
});
