import { describe, expect, it } from 'vitest';
import { configMap } from '../../strategy/built-in-definitions.fixture.ts';
import { changeComplaints, complaints, created, sent } from '../../strategy/kind.fixture.ts';

const KEY_RULE =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

describe('a ConfigMap', () => {
  it.each([
    ['a key with a blank', { data: { 'a b': 'x' } }, `data[a b]: Invalid value: "a b": ${KEY_RULE}`],
    ['the key of this folder', { data: { '.': 'x' } }, `data[.]: Invalid value: ".": must not be '.'`],
    ['the key of the folder above', { data: { '..': 'x' } }, `data[..]: Invalid value: "..": must not be '..'`],
    [
      'a key that begins with it',
      { data: { '..a': 'x' } },
      `data[..a]: Invalid value: "..a": must not start with '..'`,
    ],
    ['a bad binary key', { binaryData: { 'a/b': 'eA==' } }, `binaryData[a/b]: Invalid value: "a/b": ${KEY_RULE}`],
    [
      'a key in both',
      { data: { a: 'x' }, binaryData: { a: 'eA==' } },
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    ],
    [
      'a long key',
      { data: { ['a'.repeat(254)]: '' } },
      `data[${'a'.repeat(254)}]: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`,
    ],
    ['too much', { data: { k: 'x'.repeat(1024 * 1024 + 1) } }, '[]: Too long: may not be more than 1048576 bytes'],
    ['as much as fits', { data: { k: 'x'.repeat(1024 * 1024) } }, ''],
    ['nothing', {}, ''],
  ])('with %s is validated', (_, fields, expected) => {
    expect(complaints(configMap, fields)).toBe(expected);
  });

  it('counts the bytes of binary data, not its base64', () => {
    const binaryData = { k: Buffer.alloc(1024 * 1024).toString('base64') };
    expect(complaints(configMap, { binaryData })).toBe('');
    expect(complaints(configMap, { binaryData, data: { a: 'x' } })).toContain('Too long');
  });

  it('that is immutable keeps its data and stays immutable', () => {
    const old = created(configMap, { data: { k: 'v' }, immutable: true });
    const why = 'Forbidden: field is immutable when `immutable` is set';
    expect(changeComplaints(configMap, old, { data: { k: 'w' } })).toBe(`data: ${why}`);
    expect(changeComplaints(configMap, old, { binaryData: { b: 'eA==' } })).toBe(`binaryData: ${why}`);
    expect(changeComplaints(configMap, old, { immutable: undefined })).toBe(`immutable: ${why}`);
    expect(changeComplaints(configMap, old, {})).toBe('');
  });

  it('can become immutable, and change until then', () => {
    const old = created(configMap, { data: { k: 'v' }, immutable: false });
    expect(changeComplaints(configMap, old, { data: { k: 'w' }, immutable: true })).toBe('');
  });

  it('drops what it does not know', () => {
    expect(created(configMap, { bogus: 1 }, { bogus: 1 })).toEqual(sent(configMap));
  });

  it('with a value of the wrong type is none', () => {
    expect(configMap.decodeProblem(sent(configMap, { data: { a: 1 } }))).toBe(
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    );
  });

  it('shows how many keys it has', () => {
    const object = created(
      configMap,
      { data: { a: '1' }, binaryData: { b: 'eA==' } },
      { creationTimestamp: '2024-01-01T00:00:00Z' },
    );
    expect(configMap.columns.cells(object, Date.parse('2024-01-01T00:00:05Z'))).toEqual(['a', 2, '5s']);
    expect(
      configMap.columns.definitions.map(({ name, type, format, priority }) => [name, type, format, priority]),
    ).toEqual([
      ['Name', 'string', 'name', 0],
      ['Data', 'string', '', 0],
      ['Age', 'string', '', 0],
    ]);
  });
});
