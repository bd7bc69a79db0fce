import type { ApiObject } from '@listwatch/api';
import { describe, expect, it } from 'vitest';
import { allOf, anyOf, explain, not } from '../explained-test.ts';
import { parseFieldPath, readField } from './field-path.ts';
import { conditionIs, deleted, exists, fieldIs, type WaitCondition } from './wait-condition.ts';

const object = (status: object = {}, metadata: object = {}): ApiObject & { readonly status: object } => ({
  metadata: { name: 'a', ...metadata },
  status,
});
const ready = (status: string, more: object = {}): object => ({ conditions: [{ type: 'Ready', status, ...more }] });

const isTrue = (value: ApiObject | undefined): boolean => value !== undefined;

/** `holds`, or why not. */
const verdict = (condition: WaitCondition, value: ApiObject | undefined): string =>
  condition(value) ? 'holds' : explain(condition, value);

describe('conditionIs', () => {
  it.each<[string, ApiObject | undefined, string]>([
    ['no object', undefined, 'it does not exist'],
    ['no status', { metadata: { name: 'a' } }, 'it has no condition Ready'],
    ['conditions that are no list', object({ conditions: 'x' }), 'it has no condition Ready'],
    ['another type', object({ conditions: [null, { type: 'Other', status: 'True' }] }), 'it has no condition Ready'],
    ['the status', object(ready('True')), 'holds'],
    ['another status', object(ready('False', { reason: 'R', message: 'm' })), 'condition Ready is False (R: m)'],
    ['another status without words', object(ready('Unknown')), 'condition Ready is Unknown'],
    ['other letters', object({ conditions: [{ type: 'READY', status: 'true' }] }), 'holds'],
    [
      'an older generation of the condition',
      object({ ...ready('True', { observedGeneration: 1 }), observedGeneration: 2 }, { generation: 2 }),
      'condition Ready is about generation 1, and the object has 2',
    ],
    [
      'an older generation of the status',
      object({ ...ready('True'), observedGeneration: 1 }, { generation: 2 }),
      'condition Ready is about generation 1, and the object has 2',
    ],
    ['the generation', object(ready('True', { observedGeneration: 2 }), { generation: 2 }), 'holds'],
    ['a generation that nobody observes', object(ready('True'), { generation: 2 }), 'holds'],
    ['an object without generation', object(ready('True', { observedGeneration: 1 })), 'holds'],
  ])('%s', (_, value, expected) => {
    expect(verdict(conditionIs('Ready'), value)).toBe(expected);
  });

  it('takes another status than True', () => {
    expect(verdict(conditionIs('Ready', 'False'), object(ready('False')))).toBe('holds');
    expect(verdict(conditionIs('Ready', 'False'), object(ready('True')))).toBe('condition Ready is True');
  });
});

it('exists and deleted are about the object itself', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  expect([verdict(exists, undefined), verdict(exists, object())]).toEqual(['it does not exist', 'holds']);
  expect([
    verdict(deleted, undefined),
    verdict(deleted, object()),
    verdict(deleted, object({}, { deletionTimestamp, finalizers: ['a/b', 'c'] })),
    verdict(deleted, object({}, { deletionTimestamp })),
  ]).toEqual([
    'holds',
    'it exists and is not being deleted',
    `it is being deleted since ${deletionTimestamp} (finalizers: a/b, c)`,
    `it is being deleted since ${deletionTimestamp} (finalizers: none)`,
  ]);
});

describe('fieldIs', () => {
  it.each<[string, ApiObject | undefined, string]>([
    ['no object', undefined, 'it does not exist'],
    ['no field', object(), 'it has no field .status.phase'],
    ['null', object({ phase: null }), 'it has no field .status.phase'],
    ['the value', object({ phase: '3' }), 'holds'],
    ['the value as a number', object({ phase: 3 }), 'holds'],
    ['another value', object({ phase: 'x' }), 'the field .status.phase is "x"'],
    ['an object', object({ phase: { a: 1 } }), 'the field .status.phase is {"a":1}'],
  ])('%s', (_, value, expected) => {
    expect(verdict(fieldIs('{.status.phase}', 3), value)).toBe(expected);
  });

  it('without a value asks only for the field', () => {
    const condition = fieldIs('{.status.loadBalancer.ingress}');
    expect(verdict(condition, object({ loadBalancer: { ingress: [] } }))).toBe('holds');
    expect(verdict(condition, object({ loadBalancer: {} }))).toBe('it has no field .status.loadBalancer.ingress');
  });
});

describe('paths of fields', () => {
  it.each([
    ['{.status.phase}', ['status', 'phase']],
    ['.status.phase', ['status', 'phase']],
    ['status.phase', ['status', 'phase']],
    ['$.status', ['status']],
    ['{.items[0].name}', ['items', 0, 'name']],
    [String.raw`.metadata.labels.app\.kubernetes\.io/name`, ['metadata', 'labels', 'app.kubernetes.io/name']],
    [`.metadata.labels['a.b/c']["d'e"]`, ['metadata', 'labels', 'a.b/c', "d'e"]],
  ])('%s', (text, path) => {
    expect(parseFieldPath(text)).toEqual(path);
  });

  it.each(['', '{}', '.', '..a', '.a[*]', '.a[?(@.b==1)]', '.a[-1]', '.a b', '{.a', '.a[1:2]', '{.a}{.b}'])(
    'that name no single field are refused: %j',
    (text) => {
      expect(() => parseFieldPath(text)).toThrow(RangeError);
    },
  );

  it('read nothing that the object inherits', () => {
    expect([readField({}, ['constructor']), readField([1], ['length']), readField('text', ['length'])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of a long text are read in linear time', () => {
    expect(() => parseFieldPath(`.${'a\\.'.repeat(100_000)}*`)).toThrow(RangeError);
  });
});

it('conditions are combined, and the combination says which part does not hold', () => {
  const both = allOf(exists, conditionIs('Ready'), isTrue);
  expect(verdict(both, object(ready('True')))).toBe('holds');
  expect(verdict(both, object(ready('False')))).toBe('condition Ready is False');
  const either = anyOf(conditionIs('Ready'), conditionIs('Failed'));
  expect(verdict(either, object(ready('True')))).toBe('holds');
  expect(verdict(either, object())).toBe('it has no condition Ready, and it has no condition Failed');
  expect([verdict(not(deleted), object()), verdict(not(exists), object())]).toEqual([
    'holds',
    'the condition still holds',
  ]);
  expect(verdict(allOf(not(isTrue)), object())).toBe('isTrue still holds');
});
