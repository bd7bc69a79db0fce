/** Attacks that were found to work once, and their siblings: small or large requests that are dear to answer. */

import type { FuzzRequest } from './fuzz-request.ts';

/** A request with a name. */
export interface Attack {
  readonly name: string;
  readonly request: FuzzRequest;
}

const MAPS = '/api/v1/namespaces/fuzz-0/configmaps';
const STRATEGIC = 'application/strategic-merge-patch+json';
const PODS = '/api/v1/namespaces/fuzz-0/pods';
const JSON_PATCH = 'application/json-patch+json';
const YAML = 'application/yaml';
const JSON_TYPE = 'application/json';

/** Each is sent once. `token` is an administrator's: what strangers can do without one is less. */
export function attacks(token: string): readonly Attack[] {
  const send = (method: string, target: string, type: string, body: string | Buffer): FuzzRequest => ({
    transport: 'http/2',
    method,
    target,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: Buffer.from(body),
    frames: Buffer.alloc(0),
  });
  const create = (path: string, object: object): FuzzRequest => send('POST', path, JSON_TYPE, JSON.stringify(object));
  const yaml = (body: string): FuzzRequest => send('POST', MAPS, YAML, body);
  const patch = (operations: readonly object[]): FuzzRequest =>
    send('PATCH', `${MAPS}/a`, JSON_PATCH, JSON.stringify(operations));
  const list: readonly (readonly [string, FuzzRequest])[] = [
    ['4 000 owner references that are all controllers', create(MAPS, configMap({ ownerReferences: owners(4000) }))],
    // Just below the limits on fields and values of a body.
    ['3 900 containers of one name', create(PODS, pod(repeat(3900, { name: 'c', image: 'i' })))],
    ['9 900 containers without a field', create(PODS, pod(repeat(9900, {})))],
    ['19 000 labels with bad names', create(MAPS, configMap({ labels: words(19_000, '-') }))],
    ['19 000 unknown fields', create(`${MAPS}?fieldValidation=Warn`, { ...configMap({}), ...words(19_000, 'u') })],
    ['50 000 finalizers', create(MAPS, configMap({ finalizers: Object.keys(words(50_000, '_')) }))],
    ['9 900 large integers', send('POST', MAPS, JSON_TYPE, `{"a":[${'9007199254740993,'.repeat(9900)}1]}`)],
    ['YAML with 19 000 keys', yaml(Object.keys(words(19_000, 'k')).join(': v\n') + ': v')],
    ['YAML with 1.4 MB of tabs', yaml(`a: b\n${'\t'.repeat(1_400_000)}`)],
    ['20 000 owner references that are all controllers', create(MAPS, configMap({ ownerReferences: owners(20_000) }))],
    ['100 000 labels', create(MAPS, configMap({ labels: words(100_000, 'l') }))],
    ['100 000 labels with bad names', create(MAPS, configMap({ labels: words(100_000, '-') }))],
    ['50 000 annotations with bad names', create(MAPS, configMap({ annotations: words(50_000, '/') }))],
    ['100 000 finalizers', create(MAPS, configMap({ finalizers: Object.keys(words(100_000, '_')) }))],
    ['100 000 keys of data with bad names', create(MAPS, { ...configMap({}), data: words(100_000, '*') })],
    ['a name of 2.9 MB', create(MAPS, configMap({ name: 'x'.repeat(2_900_000) }))],
    ['a label of 2.9 MB', create(MAPS, configMap({ labels: { a: `${'-'.repeat(2_900_000)}*` } }))],
    ['a namespace of 2.9 MB', create(MAPS, configMap({ namespace: 'y'.repeat(2_900_000) }))],
    ['a timestamp of 2.9 MB', create(MAPS, configMap({ deletionTimestamp: '1'.repeat(2_900_000) }))],
    ['40 000 containers without a name', create(PODS, pod(Array.from({ length: 40_000 }, () => ({}))))],
    [
      '40 000 containers of one name',
      create(PODS, pod(Array.from({ length: 40_000 }, () => ({ name: 'c', image: 'i' })))),
    ],
    [
      '60 000 ports of one name',
      create(PODS, pod([{ name: 'c', image: 'i', ports: repeat(60_000, { name: 'p', containerPort: 1 }) }])),
    ],
    [
      '60 000 environment variables',
      create(PODS, pod([{ name: 'c', image: 'i', env: repeat(60_000, { name: '=' }) }])),
    ],
    ['a quantity of 50 000 zeros', create(PODS, pod([quantity('0'.repeat(50_000))]))],
    ['a quantity of 2 900 000 zeros', create(PODS, pod([quantity('0'.repeat(2_900_000))]))],
    ['a quantity of 50 000 zeros and a letter', create(PODS, pod([quantity(`${'0'.repeat(50_000)}x`)]))],
    [
      '20 000 tolerations',
      create(PODS, { ...pod([]), spec: { containers: [], tolerations: repeat(20_000, { operator: 'x' }) } }),
    ],
    ['100 000 unknown fields', create(`${MAPS}?fieldValidation=Warn`, { ...configMap({}), ...words(100_000, 'u') })],
    [
      '100 000 unknown fields, strictly',
      create(`${MAPS}?fieldValidation=Strict`, { ...configMap({}), ...words(100_000, 'u') }),
    ],
    [
      '100 000 duplicate fields',
      send('POST', `${MAPS}?fieldValidation=Strict`, JSON_TYPE, `{"kind":"ConfigMap"${',"x":1'.repeat(100_000)}}`),
    ],
    ['objects 300 000 deep', send('POST', MAPS, JSON_TYPE, `${'{"a":'.repeat(300_000)}1${'}'.repeat(300_000)}`)],
    ['arrays 1 000 000 deep', send('POST', MAPS, JSON_TYPE, `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`)],
    ['arrays that are never closed', send('POST', MAPS, JSON_TYPE, '['.repeat(3_000_000))],
    ['2.9 MB of escapes', send('POST', MAPS, JSON_TYPE, `{"kind":"${'\\u0041'.repeat(480_000)}"}`)],
    ['2.9 MB of digits', send('POST', MAPS, JSON_TYPE, `{"a":${'1'.repeat(2_900_000)}}`)],
    ['400 000 numbers', send('POST', MAPS, JSON_TYPE, `{"a":[${'12345,'.repeat(400_000)}1]}`)],
    ['400 000 large integers', send('POST', MAPS, JSON_TYPE, `{"a":[${'9007199254740993,'.repeat(160_000)}1]}`)],
    ['2.9 MB of spaces', send('POST', MAPS, JSON_TYPE, `{${' '.repeat(2_900_000)}}`)],
    ['YAML maps as keys, 24 deep', yaml(`${'{'.repeat(24)}a: b${'}: c'.repeat(24)}`)],
    ['YAML maps as keys, 700 deep', yaml(`${'? {'.repeat(700)}a: b${'}: c'.repeat(700)}`)],
    ['YAML flow maps as keys, 700 deep', yaml(`${'{'.repeat(700)}a${'}: c'.repeat(700)}`)],
    ['YAML with 2 000 chained anchors', yaml(chainedAnchors(2000))],
    ['YAML billion laughs', yaml(billionLaughs())],
    ['YAML 200 deep', yaml(Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'))],
    ['YAML flow 10 000 deep', yaml('['.repeat(10_000))],
    ['YAML flow 3 000 000 deep', yaml('['.repeat(3_000_000))],
    [
      'YAML with 100 000 keys',
      yaml(
        Object.keys(words(100_000, 'k'))
          .map((key) => `${key}: v`)
          .join('\n'),
      ),
    ],
    ['YAML with one key 100 000 times', yaml('k: v\n'.repeat(100_000))],
    ['YAML with 200 000 documents', yaml('---\na: b\n'.repeat(200_000))],
    ['YAML with 1 000 000 list items', yaml('- a\n'.repeat(700_000))],
    ['YAML with a scalar of 2.9 MB', yaml(`a: ${'x '.repeat(1_450_000)}`)],
    ['YAML with a quoted scalar of many lines', yaml(`a: "${'x\n '.repeat(900_000)}"`)],
    ['YAML with a block scalar of many lines', yaml(`a: |\n${'  x\n'.repeat(700_000)}`)],
    ['YAML with many tags', yaml('- !!str a\n'.repeat(250_000))],
    ['YAML with many anchors', yaml('- &a b\n'.repeat(400_000))],
    ['YAML with 2.9 MB of comments', yaml('#x\n'.repeat(960_000))],
    ['a JSON patch of 3 300 nested moves', patch(nestedMoves(3300))],
    ['a JSON patch of 9 000 nested moves', patch(nestedMoves(9000))],
    ['a JSON patch of 10 000 inserts before a long list', patch(insertsAtStart(10_000))],
    ['a JSON patch of 10 001 operations', patch(repeat(10_001, { op: 'test', path: '', value: null }))],
    ['a JSON patch whose copies double', patch(doublingCopies(40))],
    ['a JSON patch with a path of 1 000 000 steps', patch([{ op: 'add', path: '/a'.repeat(1_000_000), value: 1 }])],
    [
      'a JSON patch that tests a large value 10 000 times',
      patch([
        { op: 'add', path: '/data/k', value: 'v'.repeat(100_000) },
        ...repeat(9999, { op: 'test', path: '/data', value: {} }),
      ]),
    ],
    [
      'a merge patch 500 000 deep',
      send('PATCH', `${MAPS}/a`, 'application/merge-patch+json', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`),
    ],
    [
      'a merge patch with 200 000 keys',
      send('PATCH', `${MAPS}/a`, 'application/merge-patch+json', JSON.stringify({ data: words(200_000, 'd') })),
    ],
    [
      'a strategic merge patch 500 000 deep',
      send('PATCH', `${MAPS}/a`, STRATEGIC, `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`),
    ],
    [
      'a strategic merge patch with 12 000 items and their order',
      send(
        'PATCH',
        `${MAPS}/a`,
        STRATEGIC,
        JSON.stringify({
          metadata: {
            ownerReferences: Array.from({ length: 12_000 }, (_, index) => ({ uid: `u${index}` })),
            '$setElementOrder/ownerReferences': Array.from({ length: 12_000 }, (_, index) => ({ uid: `u${index}` })),
          },
        }),
      ),
    ],
    [
      'a strategic merge patch with 50 000 scalars and their order',
      send(
        'PATCH',
        `${MAPS}/a`,
        STRATEGIC,
        JSON.stringify({
          metadata: {
            finalizers: Object.keys(words(25_000, 'f')),
            '$setElementOrder/finalizers': Object.keys(words(25_000, 'f')),
          },
        }),
      ),
    ],
    ['a selector of 3 000 terms', send('GET', `${MAPS}?labelSelector=${encodeURIComponent(terms(3000))}`, '', '')],
    [
      'a selector of one long set',
      send(
        'GET',
        `${MAPS}?labelSelector=${encodeURIComponent(`a in (${Object.keys(words(5000, 's')).join()})`)}`,
        '',
        '',
      ),
    ],
    ['a selector of 20 000 brackets', send('GET', `${MAPS}?labelSelector=${'('.repeat(20_000)}`, '', '')],
    [
      'a field selector of 4 000 terms',
      send(
        'GET',
        `${MAPS}?fieldSelector=${encodeURIComponent(Array.from({ length: 2000 }, () => 'metadata.name=a').join())}`,
        '',
        '',
      ),
    ],
    ['a continue token of 60 KB', send('GET', `${MAPS}?limit=1&continue=${'A'.repeat(60_000)}`, '', '')],
    ['a query of 20 000 parameters', send('GET', `${MAPS}?${'a&'.repeat(20_000)}`, '', '')],
    ['a path of 10 000 segments', send('GET', `/api/v1${'/a'.repeat(10_000)}`, '', '')],
    [
      'an Accept header of 5 000 clauses',
      {
        ...send('GET', MAPS, '', ''),
        headers: { authorization: `Bearer ${token}`, accept: repeat(5000, 'a/b;c=d').join() },
      },
    ],
    [
      'protobuf with messages 100 000 deep',
      send('POST', MAPS, 'application/vnd.kubernetes.protobuf', deepProtobuf(100_000)),
    ],
    [
      'DeleteOptions of 2.9 MB',
      send('DELETE', `${MAPS}/none`, JSON_TYPE, JSON.stringify({ dryRun: repeat(500_000, 'x') })),
    ],
  ];
  return list.map(([name, request]) => ({
    name,
    request: request.method === 'GET' ? { ...request, body: undefined } : request,
  }));
}

function configMap(metadata: object): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'attacked', ...metadata } };
}

function pod(containers: readonly object[]): object {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'attacked' }, spec: { containers } };
}

function quantity(text: string): object {
  return { name: 'c', image: 'i', resources: { limits: { cpu: text } } };
}

function owners(count: number): readonly object[] {
  return repeat(count, { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', controller: true });
}

function repeat<T>(count: number, value: T): T[] {
  return Array.from({ length: count }, () => value);
}

function words(count: number, prefix: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'v']));
}

function terms(count: number): string {
  return Object.keys(words(count, 't')).join();
}

function chainedAnchors(count: number): string {
  return Array.from(
    { length: count },
    (_, index) => `a${index}: &a${index} [${index === 0 ? 'x' : `*a${index - 1}`}]`,
  ).join('\n');
}

function billionLaughs(): string {
  return Array.from({ length: 10 }, (_, index) => laughs(index)).join('\n');
}

function laughs(level: number): string {
  const below = level === 0 ? 'x' : `*a${level - 1}`;
  return `a${level}: &a${level} [${repeat(9, below).join()}]`;
}

/** Each move puts the whole document one level deeper. */
function nestedMoves(count: number): readonly object[] {
  const start: object[] = [{ op: 'add', path: '/data/x', value: {} }];
  return start.concat(
    Array.from({ length: count - 1 }, (_, index) =>
      index % 2 === 0 ? { op: 'add', path: '/data/y', value: {} } : { op: 'move', from: '/data/x', path: '/data/y/x' },
    ),
  );
}

function insertsAtStart(count: number): readonly object[] {
  const start: object[] = [{ op: 'add', path: '/metadata/finalizers', value: repeat(200_000, 'a') }];
  return start.concat(repeat(count - 1, { op: 'add', path: '/metadata/finalizers/0', value: 'b' }));
}

function doublingCopies(count: number): readonly object[] {
  const start: object[] = [{ op: 'add', path: '/data', value: { a: 'x'.repeat(1000) } }];
  return start.concat(
    Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/data', path: `/data/k${index}` })),
  );
}

/** Field 2 (raw) of the envelope, which holds field 1 within field 1 within field 1 ... */
function deepProtobuf(depth: number): Buffer {
  const pieces: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < depth; level++) {
    const head = Buffer.from([0x0a, ...varint(length)]);
    pieces.push(head);
    length += head.length;
  }
  const raw = Buffer.concat(pieces.toReversed());
  const type = Buffer.from([0x0a, 0x0f, 0x0a, 0x02, ...Buffer.from('v1'), 0x12, 0x09, ...Buffer.from('ConfigMap')]);
  return Buffer.concat([Buffer.from('6b387300', 'hex'), type, Buffer.from([0x12, ...varint(raw.length)]), raw]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return [...bytes, left];
}
