import { describe, expect, test } from 'vitest';
import { type ConfigMap, configMaps } from '../../test/config-maps.ts';
import { watchDecoder } from './watch-decoder.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const shown = (json: Uint8Array): string => new TextDecoder().decode(json);

const { one: own, lines: ownLines } = watchDecoder(configMaps, {});
const lines = (json: Uint8Array): unknown => ownLines?.(json);
const seen: string[] = [];
const { one: custom, lines: customLines } = watchDecoder(configMaps, {
  decode: (json): ConfigMap => {
    seen.push(shown(json));
    return { metadata: { name: 'custom' } };
  },
});

describe.each([
  ['our decoder', own],
  ['a decoder that is brought along', custom],
])('%s', (_, decode) => {
  test.each([
    ['an unknown type', '{"type":"PATCHED","object":{"metadata":{"name":"a"}}}'],
    ['a type in lower case', '{"type":"added","object":{"metadata":{"name":"a"}}}'],
    ['no type', '{"object":{"metadata":{"name":"a"}}}'],
    ['no object', '{"type":"ADDED"}'],
    ['nothing', '{}'],
    ['a bookmark without metadata', '{"type":"BOOKMARK","object":{}}'],
    ['a bookmark without a version', '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":""}}}'],
    ['a bookmark whose version is a number', '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":7}}}'],
    [
      'a bookmark with labels that are none',
      '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7","labels":1}}}',
    ],
    ['a bookmark that is a text', '{"type":"BOOKMARK","object":"7"}'],
    ['no JSON', '{"type":"ADDED","object":{"metadata":{"name":"a"}},}'],
    ['two members without a comma', '{"type":"ADDED" "object":{"metadata":{"name":"a"}}}'],
  ])('%s is PROTOCOL: nothing is ever skipped', (__, frame) => {
    expect(() => decode(encode(frame))).toThrow(expect.objectContaining({ code: 'PROTOCOL' }));
  });

  test('a bookmark is a bookmark', () => {
    const object = { kind: 'ConfigMap', metadata: { resourceVersion: '7', annotations: { a: 'b' } } };
    expect(decode(encode(JSON.stringify({ type: 'BOOKMARK', object })))).toEqual({ type: 'BOOKMARK', object });
  });

  test('an ERROR passes as it is, and becomes a Status when it is none', () => {
    const object = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Expired', code: 410 };
    expect(decode(encode(JSON.stringify({ type: 'ERROR', object })))).toEqual({ type: 'ERROR', object });
    expect(decode(encode('{"type":"ERROR","object":{"odd":1}}'))).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 500, message: expect.stringContaining('odd') },
    });
  });
});

test.each(['ADDED', 'MODIFIED', 'DELETED'])(
  '%s has its object, and the type of the object where it is left out',
  (type) => {
    const object = { metadata: { name: 'a' }, data: { é: '"' } };
    expect(own(encode(JSON.stringify({ type, object })))).toEqual({
      type,
      object: { ...object, kind: 'ConfigMap', apiVersion: 'v1' },
    });
  },
);

test.each([['null'], ['[]'], ['{}'], ['{"metadata":{}}'], ['{"metadata":{"name":1}}']])(
  'an object that is %s has no key in any store: PROTOCOL',
  (object) => {
    expect(() => own(encode(`{"type":"ADDED","object":${object}}`))).toThrow(
      expect.objectContaining({ code: 'PROTOCOL' }),
    );
  },
);

test('a decoder that is brought along gets the bytes of the object, wherever it stands', () => {
  const object = '{"metadata": {"name":"}\\"{"} }';
  for (const frame of [
    `{"type":"ADDED","object":${object}}`,
    `{ "object" : ${object} , "more":[{}],"type" : "ADDED" }`,
  ]) {
    seen.length = 0;
    expect(custom(encode(frame))).toEqual({ type: 'ADDED', object: { metadata: { name: 'custom' } } });
    expect(seen).toEqual([object]);
  }
});

test('a decoder that throws makes the watch fail with PROTOCOL, and its error is the cause', () => {
  const cause = new Error('too new');
  const { one: decode } = watchDecoder(configMaps, {
    decode: () => {
      throw cause;
    },
  });
  expect(() => decode(encode('{"type":"ADDED","object":{}}'))).toThrow(
    expect.objectContaining({ code: 'PROTOCOL', cause }),
  );
});

test('the projection drops what a server sends that does not know it', () => {
  const { one: decode } = watchDecoder(configMaps, { projection: 'metadata' });
  const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } };
  const whole = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { a: 'b' } };
  for (const object of [partial, whole]) {
    expect(decode(encode(JSON.stringify({ type: 'ADDED', object })))).toEqual({ type: 'ADDED', object: partial });
  }
});

const frame = (name: string): string => `{"type":"ADDED","object":{"metadata":{"name":"${name}"}}}`;

describe('lines', () => {
  test('whose objects leave their type out, or have null for it, are filled in like one by one', () => {
    const object = { kind: null, metadata: { name: 'a' } };
    const line = JSON.stringify({ type: 'ADDED', object });
    const events = [{ type: 'ADDED', object: { ...object, kind: 'ConfigMap', apiVersion: 'v1' } }];
    expect(lines(encode(line))).toEqual({ events, hasNotice: false });
  });

  test('with a bookmark among them say so', () => {
    const bookmark = '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"7"}}}';
    expect(lines(encode(`${frame('a')}\n${bookmark}`))).toMatchObject({ hasNotice: true });
  });

  test('are decoded together, as one by one', () => {
    const frames = ['a', 'b', 'c'].map(frame);
    expect(lines(encode(frames.join('\n')))).toEqual({
      events: frames.map((text) => own(encode(text))),
      hasNotice: false,
    });
  });

  test.each([
    ['two frames on one', frame('a') + frame('b')],
    ['a frame on two', frame('a').replace(',', ',\n')],
    [
      'an array on two lines that only a comma makes one',
      '{"type":"ADDED","object":{"metadata":{"name":"a"},"x":[1\n2]}}',
    ],
    ['an empty one', `${frame('a')}\n\n${frame('b')}`],
    ['one that is no event', `${frame('a')}\n{"type":"ADDED"}`],
    ['one that is no JSON', `${frame('a')}\nx`],
    ['one with a comma behind it', `${frame('a')},`],
  ])('with %s are left to the strict way', (_, text) => {
    expect(lines(encode(text))).toBeUndefined();
  });

  test('are not for a decoder that wants the bytes of each object', () => {
    expect(customLines).toBeUndefined();
  });
});
