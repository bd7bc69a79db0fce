/** Writes in protobuf: the right type around fields of any number and form. */

import fc from 'fast-check';
import { FUZZ_KINDS } from './fuzz-kinds.ts';
import type { FuzzWrite } from './fuzz-write.ts';

const tag = (number: number, wireType: number): Buffer => varint(number * 8 + wireType);

const value = fc.oneof(fc.nat(300), fc.constantFrom(0, 1, 2 ** 31, 2 ** 53 - 1));
const number = fc.oneof({ arbitrary: fc.integer({ min: 1, max: 6 }), weight: 4 }, { arbitrary: fc.nat(50), weight: 1 });
const content = fc.oneof(
  fc.constantFrom('', 'a', 'a', 'fuzz-0', '100m', '{"f:a":{}}').map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
);

/** Fields in fields: names, labels and containers are found by chance. */
const { message } = fc.letrec<{ readonly message: Buffer; readonly field: Buffer }>((tie) => ({
  message: fc.array(tie('field'), { maxLength: 4 }).map((fields) => Buffer.concat(fields)),
  field: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(number, value).map(([field, int]) => Buffer.concat([tag(field, 0), varint(int)])),
    fc.tuple(number, content).map(([field, bytes]) => bytesField(field, bytes)),
    fc.tuple(number, tie('message')).map(([field, bytes]) => bytesField(field, bytes)),
    fc.tuple(number, fc.nat(7)).map(([field, wireType]) => tag(field, wireType)),
  ),
}));

/** A create, an update or a delete. */
export const fuzzProtobuf: fc.Arbitrary<FuzzWrite> = fc
  .record({
    served: fc.constantFrom(...FUZZ_KINDS),
    method: fc.constantFrom('POST', 'POST', 'PUT', 'DELETE'),
    message,
    cut: fc.oneof(fc.constant(0), fc.constant(0), fc.nat(20)),
  })
  .map(({ served: { root, plural, namespaced, object }, method, message: fields, cut }) => {
    const collection = `${root}/${namespaced ? 'namespaces/fuzz-0/' : ''}${plural}`;
    const { apiVersion, kind } = method === 'DELETE' ? { apiVersion: 'v1', kind: 'DeleteOptions' } : object;
    const named = method === 'DELETE' ? [] : [bytesField(1, bytesField(1, Buffer.from('a')))];
    const type = [apiVersion, kind].map((text) => Buffer.from(typeof text === 'string' ? text : ''));
    const body = Buffer.concat([
      Buffer.from('k8s\0'),
      bytesField(1, ...type.map((text, index) => bytesField(index + 1, text))),
      bytesField(2, ...named, fields),
    ]);
    return {
      method,
      path: method === 'POST' ? collection : `${collection}/a`,
      contentType: 'application/vnd.kubernetes.protobuf',
      body: body.subarray(0, body.length - cut),
    };
  });

function bytesField(field: number, ...parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([tag(field, 2), varint(bytes.length), bytes]);
}

function varint(int: number): Buffer {
  const bytes: number[] = [];
  let rest = int;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
