import { describe, expect, it } from 'vitest';
import { dumpYaml, loadYaml } from './yaml-text.ts';

const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };

describe('loadYaml', () => {
  it('reads any number of documents, JSON too, and the items of a List', async () => {
    const text = `---
# nothing
---
apiVersion: v1
kind: ConfigMap
metadata: { name: a }
---
{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"b"}}]}
`;
    expect((await loadYaml(text)).map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
      'ConfigMap a',
      'Secret b',
    ]);
  });

  it.each([
    // What `kubectl create --dry-run=client -o json` of 1.32 makes of each.
    ['0644', 420],
    ['0o644', 420],
    ['-012', -10],
    ['08', 8],
    ['0x1F', 31],
    ['0b11', 3],
    ['1_000', 1000],
    ['_1', '_1'],
    ['1e3', 1000],
    ['.5', 0.5],
    ['yes', true],
    ['off', false],
    ['y', true],
    ['12:30', '12:30'],
    ['2020-01-01', '2020-01-01'],
    ['1e400', '1e400'],
    ['~', null],
    ["'0644'", '0644'],
    ['"yes"', 'yes'],
    ['!!str 0644', '0644'],
  ])('reads %s as kubectl does', async (text, value) => {
    const [object] = await loadYaml(`apiVersion: v1\nkind: Foo\nmetadata: { name: a }\nspec: ${text}\n`);
    expect(object).toEqual({ apiVersion: 'v1', kind: 'Foo', metadata: { name: 'a' }, spec: value });
  });

  it('reads keys as kubectl does', async () => {
    const [object] = await loadYaml('apiVersion: v1\nkind: Foo\nmetadata: { name: a }\nspec: { on: 1, 010: 2 }\n');
    expect(object).toMatchObject({ spec: { true: 1, 8: 2 } });
  });

  it('says where the mistake is', async () => {
    await expect(loadYaml('a: [')).rejects.toThrow(/not YAML at line 1/u);
    await expect(loadYaml('kind: ConfigMap')).rejects.toThrow('object 1, a ConfigMap, has no apiVersion');
    // @ts-expect-error -- plain JavaScript
    await expect(loadYaml(map)).rejects.toThrow('loadYaml takes a text');
  });
});

describe('dumpYaml', () => {
  it('writes one document for each object, fields by name, without managed fields', async () => {
    const managed = { ...map, metadata: { name: 'a', managedFields: [{ manager: 'm' }] }, data: undefined };
    expect(await dumpYaml([managed, map])).toBe(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n',
    );
    expect(await dumpYaml(managed, { hideManagedFields: false })).toContain('manager: m');
    expect(managed.metadata.managedFields).toHaveLength(1);
  });

  it('quotes what YAML 1.1 would take for something else, and what it writes is read as it was', async () => {
    const words = [
      'yes',
      'on',
      'y',
      '0x1',
      '012',
      '1_000',
      '12:30:00',
      '2001-01-01',
      '1e3',
      'null',
      '~',
      '=',
      '- a',
      '# x',
    ];
    const object = { ...map, data: Object.fromEntries(words.map((word) => [word, word])) };
    const text = await dumpYaml(object);
    for (const word of words) expect(text).toContain(`: '${word}'`);
    expect(await loadYaml(text)).toEqual([object]);
    const lines = { ...map, data: { a: 'one\ntwo\n', b: ' x\t', long: 'word '.repeat(100) } };
    expect(await loadYaml(await dumpYaml(lines))).toEqual([lines]);
  });

  it('does not round a number in silence', async () => {
    expect(await dumpYaml({ ...map, spec: { size: 5n } })).toContain('size: 5\n');
    await expect(dumpYaml({ ...map, spec: { n: 9_007_199_254_740_993n } })).rejects.toThrow(RangeError);
  });
});
