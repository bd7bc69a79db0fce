import { resource } from '@listwatch/api';
import { objectDecoder } from '@listwatch/client/internal';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Thing, thing, things } from '../../test/model-object.ts';
import { CompactKeeper } from './compact-keeper.ts';
import { CompactObject } from './compact-object.ts';
import { ObjectPacker } from './object-packer.ts';
import { StoreWriter } from './store-writer.ts';

interface Bench {
  readonly writer: StoreWriter<Thing, CompactObject>;
  readonly packer: ObjectPacker<Thing>;
  /** Packs the JSON, and reads it back. */
  readonly through: (json: string) => Thing;
}

function bench(projection?: 'metadata'): Bench {
  const keeper = new CompactKeeper<Thing>('none');
  const writer = new StoreWriter<Thing, CompactObject>(keeper);
  const store = {
    known: (key: string) => writer.known(key),
    keepBytes: keeper.keepBytes.bind(keeper),
    keepObject: keeper.keepObject.bind(keeper),
  };
  const packer = new ObjectPacker<Thing>(store, things, { projection });
  return { writer, packer, through: (json) => writer.peek(writer.pack(packer.one(Buffer.from(json)))) };
}

function kept(object: Thing): CompactObject {
  expect(object).toBeInstanceOf(CompactObject);
  return object instanceof CompactObject ? object : expect.unreachable();
}

function fails(decode: (json: Uint8Array) => unknown, json: Uint8Array): boolean {
  try {
    decode(json);
    return false;
  } catch {
    return true;
  }
}

describe('packing', () => {
  const metadata = '"metadata":{"namespace":"a","name":"x","uid":"u-1","resourceVersion":"7"}';

  it.each([
    ['as a list has it, without kind', `{${metadata},"spec":{"size":1}}`],
    ['whole', `{"kind":"Thing","apiVersion":"example.org/v1",${metadata}}`],
    ['without a namespace, uid and version', '{"metadata":{"name":"x"}}'],
    ['with a kind and no apiVersion', `{"kind":"Thing",${metadata}}`],
    ['with a kind that is null', `{"kind":null,"apiVersion":null,${metadata}}`],
    ['with newlines', `{\n  ${metadata},\n  "text": "a\\nb"\n}`],
    ['with an escaped name', '{"metadata":{"na\\u006de":"\\u0078","uid":"\\u0075"}}'],
    ['with metadata twice', `{"metadata":{"name":"first","uid":"u-0"},${metadata}}`],
    ['with text beyond ASCII', `{${metadata},"text":"é日本語😀"}`],
    ['with odd labels', `{"metadata":{"name":"x","labels":{"é\\n":"\\ud800"}}}`],
  ])('gives what the default decoder gives: an object %s', (_, json) => {
    const { packer, through } = bench();
    const expected = objectDecoder(things, {}).one(Buffer.from(json));
    expect(through(json)).toEqual(expected);
    const { key, name, namespace, uid, resourceVersion } = kept(packer.one(Buffer.from(json)));
    const { metadata: real } = expected;
    expect({ name, namespace, uid, resourceVersion }).toEqual({
      name: real.name,
      namespace: real.namespace,
      uid: real.uid,
      resourceVersion: real.resourceVersion,
    });
    expect(key).toBe(real.namespace === undefined ? real.name : `${real.namespace}/${real.name}`);
  });

  it.each([
    [
      'a whole object from a server that does not know the projection',
      `{"kind":"Thing",${metadata},"spec":{"size":1}}`,
    ],
    ['an object of a list', `{${metadata}}`],
    ['a partial one', `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1",${metadata}}`],
  ])('with the projection metadata, gives what the default decoder gives: %s', (_, json) => {
    const expected = objectDecoder(things, { projection: 'metadata' }).one(Buffer.from(json));
    expect(bench('metadata').through(json)).toEqual(expected);
  });

  it('throws for all bytes for which the default decoder throws, and only for those', () => {
    const { packer } = bench();
    const decoder = objectDecoder(things, {});
    const whole = Buffer.from(`{${metadata},"spec":{"size":1.5e3},"list":[true,null,"\\u00e9é"]}`);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), (at, byte, isInserted) => {
        const json = Buffer.concat([
          whole.subarray(0, at),
          Uint8Array.of(byte),
          whole.subarray(isInserted ? at : at + 1),
        ]);
        expect(fails(packer.one, json)).toBe(fails(decoder.one, json));
      }),
      { numRuns: 3_000 },
    );
    const other = Buffer.from(`{"kind":"Other","apiVersion":"v1",${metadata}}`);
    expect(fails(packer.one, other)).toBe(fails(decoder.one, other));
    for (const json of ['', '[]', '7', '{}', '{"metadata":null}', '{"metadata":{"name":7}}', `{${metadata}} x`])
      expect(fails(packer.one, Buffer.from(json))).toBe(true);
  });

  it('finds objects in a row', () => {
    const { packer, writer } = bench();
    const bytes = Buffer.from('[{"metadata":{"name":"a"}}, {"metadata":{"name":"b"}}]');
    const first = packer.next(bytes, 1);
    const second = packer.next(bytes, first.end + 1);
    const read = [first, second].map(({ object }) => writer.peek(kept(object)).metadata.name);
    expect([read, second.end]).toEqual([['a', 'b'], bytes.length - 1]);
  });

  it('keeps no newlines: they would end the line of a checkpoint', () => {
    const { packer, writer } = bench();
    writer.put('a/x', kept(packer.one(Buffer.from(`{\n  ${metadata},\r\n\t"text": "a\\nb"\n}`))));
    const [json = ''] = writer.snapshot().objects;
    expect(Buffer.from(json).includes('\n')).toBe(false);
    expect(JSON.parse(Buffer.from(json).toString())).toMatchObject({ kind: 'Thing', text: 'a\nb' });
  });

  it('keeps nothing of the bytes that it is given', () => {
    const { packer, writer } = bench();
    const bytes = Buffer.from(`{${metadata},"spec":{"size":1}}`);
    const object = kept(packer.one(bytes));
    bytes.fill(0);
    expect(writer.peek(object).spec?.size).toBe(1);
    expect(object.key).toBe('a/x');
  });

  it('keeps no second copy of what the store has, byte for byte, also when it came without its kind', () => {
    const { packer, writer } = bench();
    const whole = thing('a/x', 7, 1, 'uid-1');
    const { kind, apiVersion, ...listed } = whole;
    const first = kept(packer.one(Buffer.from(JSON.stringify({ kind, apiVersion, ...listed }))));
    writer.put('a/x', first);
    const again = (object: object): CompactObject => kept(packer.one(Buffer.from(JSON.stringify(object))));
    expect([again({ kind, apiVersion, ...listed }), again(listed)]).toEqual([first, first]);
    expect(again(listed)).toBe(first);
    const others = [thing('a/x', 8, 1, 'uid-1'), thing('a/x', 7, 1, 'uid-2'), thing('a/x', 7, 2, 'uid-1')];
    for (const other of others) expect(again(other)).not.toBe(first);
  });

  it('has of its metadata what identifies it, and the rest that a watcher compares', () => {
    const managedFields = [{ time: '2026-01-01T00:00:00Z' }];
    const whole = { name: 'x', uid: 'u', resourceVersion: '7', generation: 3, managedFields };
    const object = kept(bench().packer.one(Buffer.from(JSON.stringify({ metadata: whole }))));
    const { name, namespace, uid, resourceVersion, generation } = object.metadata;
    expect({ name, uid, resourceVersion, generation, managedFields: object.metadata.managedFields }).toEqual(whole);
    expect(namespace).toBeUndefined();
  });

  it('fills in the group and version of the resource', () => {
    const keeper = new CompactKeeper<Thing>('none');
    const store = {
      known: () => undefined,
      keepBytes: keeper.keepBytes.bind(keeper),
      keepObject: keeper.keepObject.bind(keeper),
    };
    const pods = resource<Thing>({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
    const packer = new ObjectPacker<Thing>(store, pods, {});
    const pod = keeper.read(kept(packer.one(Buffer.from('{"metadata":{"name":"x"}}'))));
    expect(pod).toEqual({ kind: 'Pod', apiVersion: 'v1', metadata: { name: 'x' } });
  });
});
