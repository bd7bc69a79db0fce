/** Schemas of one property, with values for it: good, bad and strange ones. */

import type { JsonRecord } from '@listwatch/api/values';

/** A schema and values for it. */
export interface ObjectCase {
  readonly schema: JsonRecord;
  readonly values: readonly unknown[];
}

const STRING = { type: 'string' };

function objectOf(properties: JsonRecord, more: JsonRecord = {}): JsonRecord {
  return { type: 'object', properties, ...more };
}

function format(name: string, ...values: readonly unknown[]): ObjectCase {
  return { schema: { type: 'string', format: name }, values };
}

const EMBEDDED = { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true };

/** The cases, by the name of the property below `spec`. */
export const OBJECTS: Readonly<Record<string, ObjectCase>> = {
  text: { schema: STRING, values: ['x', 1, 1.5, true, [], {}, null, ''] },
  whole: { schema: { type: 'integer' }, values: [1, 1.5, 'x', null, 1e3, -5, 1e30, 9007199254740992] },
  whole32: {
    schema: { type: 'integer', format: 'int32' },
    values: [2147483647, 3000000000, -3000000000, 1.5, 'x', true, [], {}],
  },
  whole64: { schema: { type: 'integer', format: 'int64' }, values: [9007199254740992, 1e19, 'x'] },
  number: { schema: { type: 'number' }, values: [1, 1.5, 'x', null] },
  float: { schema: { type: 'number', format: 'float' }, values: [1.5, 1e39, 'x', 3] },
  flag: { schema: { type: 'boolean' }, values: [true, 'true', 0] },
  list: { schema: { type: 'array', items: STRING }, values: [['a', 1, null], 'x', {}, [[]]] },
  either: { schema: { 'x-kubernetes-int-or-string': true }, values: [1, 'a', true, 1.5, null, {}] },
  eitherPattern: {
    schema: { 'x-kubernetes-int-or-string': true, pattern: '^a', minimum: 3 },
    values: [1, 3, 'a', 'b', true],
  },
  nullable: { schema: { type: 'string', nullable: true }, values: [null, 'x', 1] },
  short: {
    schema: { type: 'string', minLength: 2, maxLength: 5 },
    values: ['a', 'ab', 'abcdef', 'éé', '😀😀😀😀😀', '😀', ''],
  },
  pattern: { schema: { type: 'string', pattern: '^a+$', minLength: 2 }, values: ['aa', 'a', 'b', 'ab'] },
  unanchored: { schema: { type: 'string', pattern: 'b' }, values: ['abc', 'ac'] },
  bounds: { schema: { type: 'integer', minimum: 1, maximum: 10 }, values: [0, 1, 10, 11, 10.5, 0.5] },
  openBounds: {
    schema: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true },
    values: [1, 2, 10, 9],
  },
  brokenBounds: { schema: { type: 'integer', minimum: 1.5, maximum: 9.5 }, values: [1, 2, 9, 10] },
  numberBounds: { schema: { type: 'number', minimum: 1.5, maximum: 1e6 }, values: [1, 1.2, 2e6, 1000001.5] },
  multiple: { schema: { type: 'integer', multipleOf: 3 }, values: [3, 4, 0, -6, 1.5] },
  tenths: { schema: { type: 'number', multipleOf: 0.1 }, values: [0.3, 0.35, 1, 1.5] },
  halves: { schema: { type: 'integer', multipleOf: 2.5 }, values: [5, 4] },
  choice: { schema: { type: 'string', enum: ['A', 'B'] }, values: ['A', 'C', 1, ''] },
  numberChoice: { schema: { type: 'number', enum: [1, 2.5] }, values: [1, 2.5, 3, 1.5, 2] },
  mixedChoice: {
    schema: { 'x-kubernetes-preserve-unknown-fields': true, enum: ['a', 1, { b: [1] }, [true]] },
    values: ['a', 1, { b: [1] }, { b: [2] }, [true], [false], 'x', null],
  },
  nullChoice: { schema: { type: 'string', nullable: true, enum: ['a'] }, values: [null, 'a'] },
  counted: { schema: { type: 'array', items: STRING, minItems: 1, maxItems: 2 }, values: [[], ['a'], ['a', 'b', 'c']] },
  members: {
    schema: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 2, maxProperties: 3 },
    values: [{ a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2, c: 3, d: 4 }, { a: 'x', b: 1 }, { 'a.b/c': 'x', 'd e': true }],
  },
  required: {
    schema: objectOf({ a: STRING, b: STRING }, { required: ['a', 'b'] }),
    values: [{}, { a: 'x' }, { a: 'x', b: null }],
  },
  anyValue: { schema: { type: 'object', additionalProperties: true }, values: [{ a: 1, b: { c: 1 }, d: [{ e: 1 }] }] },
  noValue: { schema: { type: 'object', additionalProperties: false }, values: [{}, { a: 1 }] },
  oneOf: {
    schema: objectOf(
      { a: STRING, b: STRING, c: { type: 'integer' } },
      { oneOf: [{ required: ['a'] }, { required: ['b', 'c'] }] },
    ),
    values: [{}, { a: 'x' }, { a: 'x', b: 'y', c: 1 }, { b: 'y' }],
  },
  oneOfNone: {
    schema: { type: 'integer', oneOf: [{ minimum: 10 }, { maximum: 2 }, { enum: [5] }] },
    values: [1, 5, 7, 11],
  },
  anyOf: {
    schema: objectOf(
      { a: STRING, b: STRING },
      { anyOf: [{ required: ['a'] }, { properties: { b: { minLength: 3 } }, required: ['b'] }] },
    ),
    values: [{}, { a: 'x' }, { b: 'xy' }, { b: 'xyz' }],
  },
  allOf: { schema: { type: 'string', allOf: [{ minLength: 2 }, { pattern: '^a' }] }, values: ['a', 'b', 'ab', 'bb'] },
  allOfNone: { schema: { type: 'integer', allOf: [{ minimum: 2 }, { minimum: 3 }] }, values: [1, 2, 3] },
  not: { schema: { type: 'string', not: { enum: ['a', 'b'] } }, values: ['a', 'c'] },
  nested: {
    schema: objectOf(
      { l: { type: 'array', items: objectOf({ a: { type: 'integer' }, b: STRING }) } },
      {
        anyOf: [{ properties: { l: { items: { properties: { a: { minimum: 3 } } } } } }, { not: { required: ['l'] } }],
      },
    ),
    values: [{ l: [{ a: 1 }] }, { l: [{ a: 3 }] }, {}, { l: [{ a: 'x' }] }],
  },
  set: {
    schema: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' },
    values: [['a', 'b', 'a', 'a'], ['a']],
  },
  numberSet: {
    schema: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
    values: [[1, 2, 1]],
  },
  objectSet: {
    schema: {
      type: 'array',
      items: { ...objectOf({ a: STRING, b: STRING }), 'x-kubernetes-map-type': 'atomic' },
      'x-kubernetes-list-type': 'set',
    },
    values: [
      [
        { a: 'x', b: 'y' },
        { b: 'y', a: 'x' },
      ],
    ],
  },
  map: {
    schema: {
      type: 'array',
      items: objectOf({ k: STRING, p: { type: 'integer', default: 1 }, v: STRING }, { required: ['k'] }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
    },
    values: [
      [{ k: 'a', p: 1 }, { k: 'a' }],
      [{ k: 'a' }, { k: 'b' }],
      [{ v: 'x' }, { v: 'y' }],
      [{ k: 'a' }, 'x'],
      [null],
    ],
  },
  oneKey: {
    schema: {
      type: 'array',
      items: objectOf({ k: STRING }, { required: ['k'] }),
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    },
    values: [[{ k: 'a' }, { k: 'b' }, { k: 'a' }]],
  },
  deepSet: {
    schema: {
      type: 'object',
      additionalProperties: objectOf({ s: { type: 'array', items: STRING, 'x-kubernetes-list-type': 'set' } }),
    },
    values: [{ 'a.b': { s: ['x', 'x'] } }],
  },
  pruned: {
    schema: objectOf({
      a: STRING,
      l: { type: 'array', items: objectOf({ n: STRING }) },
      m: { type: 'object', additionalProperties: objectOf({ n: STRING }) },
    }),
    values: [
      { a: 'x', b: 1, l: [{ n: 'y', z: 1 }, { q: [] }], m: { k: { n: 'a', o: 1 } }, deep: { er: 1 } },
      { l: [1, [{ a: 1 }]] },
    ],
  },
  kept: {
    schema: { ...objectOf({ a: objectOf({ b: STRING }) }), 'x-kubernetes-preserve-unknown-fields': true },
    values: [{ a: { b: 'x', c: 1 }, d: { e: [1, { f: null }] } }],
  },
  keptList: {
    schema: {
      type: 'array',
      items: objectOf({ a: objectOf({ b: STRING }) }),
      'x-kubernetes-preserve-unknown-fields': true,
    },
    values: [[{ a: { b: 'x', c: 1 }, d: 1 }]],
  },
  free: {
    schema: { 'x-kubernetes-preserve-unknown-fields': true },
    values: [1, 'x', { a: { b: null } }, [{ c: 1 }], null],
  },
  defaults: {
    schema: objectOf({
      a: { type: 'string', default: 'd' },
      n: { ...objectOf({ b: { type: 'integer', default: 7 } }), default: {} },
      o: objectOf({ b: { type: 'integer', default: 7 } }),
      l: { type: 'array', items: objectOf({ c: { type: 'boolean', default: true } }) },
      m: { type: 'object', additionalProperties: objectOf({ c: { type: 'boolean', default: true } }) },
      z: { type: 'string', nullable: true, default: 'zz' },
    }),
    values: [
      {},
      { a: null, z: null, n: null, o: null },
      { l: [{}, { c: false }], m: { x: {}, y: { c: null } }, o: {} },
      { l: [null] },
    ],
  },
  nulls: {
    schema: objectOf({
      a: STRING,
      b: { type: 'string', nullable: true },
      c: objectOf({ d: STRING }),
      l: { type: 'array', items: { type: 'string', nullable: true } },
    }),
    values: [
      { a: null, b: null, c: { d: null }, l: [null, 'x'] },
      { c: null, l: null },
    ],
  },
  nullValues: {
    schema: { type: 'object', additionalProperties: STRING },
    values: [{ a: null, b: 'x' }],
  },
  embedded: {
    schema: { type: 'object', ...EMBEDDED },
    values: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { a: 'b' }, nope: 1 }, spec: { any: 1 } },
      {},
      { apiVersion: 'a/b/c', kind: 'pod_x', metadata: { name: 'Bad Name/' } },
      { apiVersion: '', kind: '' },
      { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { 'a b': 'c' }, name: 'x', namespace: 'y' } },
      { apiVersion: 1, kind: 'Pod' },
      { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { a: 1 } } },
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', creationTimestamp: null } },
    ],
  },
  typedEmbedded: {
    schema: { ...objectOf({ spec: objectOf({ a: STRING }) }), 'x-kubernetes-embedded-resource': true },
    values: [
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', generation: 3 }, spec: { a: 'x', b: 1 }, status: {} },
    ],
  },
  bson: format('bsonobjectid', '507f1f77bcf86cd799439011', 'xyz'),
  uri: format(
    'uri',
    'http://a.b/c?d=e',
    '/a/b',
    'a/b',
    '',
    'mailto:x',
    'http://a b',
    'http://[::1]:80/x',
    '%zz',
    '/a%zz',
    'http://a:b/c',
    '*',
    ':a',
    'http://u:p@h/',
    'x://',
    '//a',
    'http://a%20b/',
  ),
  email: format(
    'email',
    'a@b.c',
    'a',
    'a@',
    'N <a@b.c>',
    '"x y"@b',
    'a b@c',
    '<a@b>',
    'a@b@c',
    'a..b@c',
    '"N M" <a@b.c>',
    'N <a@b> x',
    'a@[1.2.3.4]',
    'é@b.c',
  ),
  hostname: format('hostname', 'a.b', 'a_b', '-a', 'a-', 'A.example', 'a'.repeat(64), '1.2.3.4', 'é.com', ''),
  ipv4: format('ipv4', '1.2.3.4', '01.2.3.4', '1.2.3', '::1', '1.2.3.256', '::ffff:1.2.3.4'),
  ipv6: format(
    'ipv6',
    '::1',
    '1.2.3.4',
    'a::b::c',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7',
    '::ffff:1.2.3.4',
    'fe80::1%eth0',
    '1::',
    ':::',
  ),
  cidr: format('cidr', '10.0.0.0/8', '10.0.0.0', '10.0.0.0/33', '::/0', '010.0.0.1/8', '::1/129', '10.0.0.0/08'),
  mac: format(
    'mac',
    '00:00:5e:00:53:01',
    '00-00-5e-00-53-01',
    '0000.5e00.5301',
    'x',
    '00:00:5e:00:53',
    '02:00:5e:10:00:00:00:01',
  ),
  uuid: format('uuid', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6BA7B8109dad11d180b400c04fd430c8', 'x'),
  uuid3: format('uuid3', '6ba7b810-9dad-31d1-80b4-00c04fd430c8', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
  uuid4: format('uuid4', '6ba7b810-9dad-41d1-80b4-00c04fd430c8', '6ba7b810-9dad-41d1-c0b4-00c04fd430c8'),
  uuid5: format('uuid5', '6ba7b810-9dad-51d1-80b4-00c04fd430c8', '6ba7b810-9dad-41d1-80b4-00c04fd430c8'),
  isbn: format('isbn', '0321751043', '978-0321751041', '1', '0-321-75104-3'),
  isbn10: format('isbn10', '0321751043', '978-0321751041', '0321751044', '097522980X'),
  isbn13: format('isbn13', '978-0321751041', '0321751043', '978-0321751042'),
  card: format('creditcard', '4111 1111 1111 1111', '4111111111111112', 'x'),
  ssn: format('ssn', '111-11-1111', '111111111', '1'),
  hexcolor: format('hexcolor', '#FFFFFF', 'fff', '#ffff'),
  rgbcolor: format('rgbcolor', 'rgb(1, 2,255)', 'rgb(1,2,256)', 'rgb(01,2,3)'),
  byte: format('byte', 'YQ==', 'YQ=', '', 'YWJj', 'Y-_j', 'YQ==\n'),
  password: format('password', 'x', ''),
  date: format('date', '2024-02-29', '2023-02-29', '2024-2-9', '2024-13-01'),
  time: format(
    'date-time',
    '2024-02-29T10:00:00Z',
    '2024-02-29',
    '2024-02-29t10:00:00.5+01:00',
    '2024-02-29T24:00:00Z',
    '2024-02-29T10:00:60Z',
    '2024-02-29T10:00:00',
    '2024-02-29 10:00:00Z',
  ),
  plainTime: format('datetime', '2024-02-29T10:00:00Z', 'x'),
  duration: format('duration', '1h30m', '22 days', '1.5s', 'x', '', '1', '-1s', '3 weeks ago', '0'),
  shortName: format('k8s-short-name', 'a-b', 'A', 'a.b', 'a'.repeat(64), ''),
  longName: format('k8s-long-name', 'a-b.c', 'A', 'a..b', 'a'.repeat(254), ''),
  unknownFormat: format('zzz', 'x', 1),
  formatOnly: {
    schema: { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
    values: ['1.2.3.4', '::1', 'x'],
  },
  eitherFormat: { schema: { 'x-kubernetes-int-or-string': true, format: 'int32' }, values: [3000000000, 'x', 1] },
};
