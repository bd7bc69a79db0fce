import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../src/kinds/resource-registry.ts';
import { canonical } from '../src/kinds/shapes/canonical.ts';
import { DELETE_OPTIONS } from '../src/kinds/shapes/delete-options-shape.ts';
import { type JsonRecord, recordOf } from '../src/kinds/shapes/json-value.ts';
import { SELF_SUBJECT_ACCESS_REVIEW, SELF_SUBJECT_REVIEW } from '../src/kinds/shapes/self-review-shape.ts';
import type { StructShape } from '../src/kinds/shapes/shape.ts';
import { decodeMessage } from '../src/protobuf/decode-message.ts';
import { openEnvelope } from '../src/protobuf/envelope.ts';
import { startClientServer } from './client-server.test-d.ts';

const run = promisify(execFile);

/** An object that Go has filled and written: `objects.jsonl` is what the program beside it prints. */
interface Written {
  readonly kind: string;
  readonly filled: 'empty' | 'full' | 'zero';
  readonly json: string;
  readonly protobuf: string;
}

const here = fileURLToPath(new URL('protobuf/', import.meta.url));
const fixture = readFileSync(join(here, 'objects.jsonl'), 'utf8');
const objects = fixture
  .trimEnd()
  .split('\n')
  .map((line): Written => JSON.parse(line));

const SHAPES: ReadonlyMap<string, StructShape> = new Map([
  ...BUILT_IN_KINDS.map(({ resource, shape }) => {
    const { group, version, kind } = resource;
    return [`${group === '' ? version : `${group}/${version}`} ${kind}`, shape] as const;
  }),
  ['v1 DeleteOptions', DELETE_OPTIONS],
  ['authentication.k8s.io/v1 SelfSubjectReview', SELF_SUBJECT_REVIEW],
  ['authorization.k8s.io/v1 SelfSubjectAccessReview', SELF_SUBJECT_ACCESS_REVIEW],
]);

function decoded({ protobuf }: Written): { readonly type: string; readonly object: JsonRecord } {
  const envelope = openEnvelope(Buffer.from(protobuf, 'base64'));
  if (envelope === undefined) throw new Error('Go has written no envelope');
  const { apiVersion, kind, message } = envelope;
  const shape = SHAPES.get(`${apiVersion} ${kind}`);
  if (shape === undefined) throw new Error(`${apiVersion} ${kind} has no shape`);
  return { type: `${apiVersion} ${kind}`, object: { kind, apiVersion, ...decodeMessage(shape, message) } };
}

describe('what Go writes as protobuf', () => {
  it('is there for every kind that has a shape, in three ways', () => {
    const types = objects.map((object) => `${decoded(object).type} ${object.filled}`);
    const expected = [...SHAPES.keys()].flatMap((type) =>
      ['empty', 'full', 'zero'].map((filled) => `${type} ${filled}`),
    );
    expect(types.toSorted()).toEqual(expected.toSorted());
  });

  // Byte for byte: order, types and names of all fields, of which no two have the same value.
  const full = objects.filter(({ filled, kind }) => filled === 'full' && !/Options|Review/.test(kind));
  it.each(full)('is the JSON that Go writes for the same $kind', (written) => {
    expect(JSON.stringify(decoded(written).object)).toBe(written.json);
  });

  // Go writes null for some of what is not there; here it is left out. Of options and reviews not all is read.
  it.each(objects)('is the same $kind as in JSON when it is $filled', (written) => {
    const { type, object } = decoded(written);
    const json = recordOf(JSON.parse(written.json));
    const shape = SHAPES.get(type) ?? DELETE_OPTIONS;
    const { kind, apiVersion } = json;
    expect(object).toEqual({ kind, apiVersion, ...canonical(shape, json) });
  });
});

function build(): string {
  const folder = join(tmpdir(), 'listwatch-peers');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, 'protobuf');
  execFileSync('go', ['build', '-o', program, '.'], { cwd: here, stdio: ['ignore', 'ignore', 'inherit'] });
  return program;
}

// To build client-go takes minutes the first time: `npm run test:protobuf`.
describe('the program in Go', needs('Go'), () => {
  it('still writes the objects that are kept here', () => {
    expect(execFileSync(build(), ['objects'], { encoding: 'utf8' })).toBe(fixture);
  }, 600_000);

  it('creates, updates and deletes a Lease with the typed client', async () => {
    const program = build();
    const server = await startClientServer();
    try {
      const { stdout, stderr } = await run(program, ['lease', server.kubeconfig]);
      expect({ stdout, stderr }).toEqual({ stdout: 'created, updated and deleted\n', stderr: '' });
    } finally {
      await server[Symbol.asyncDispose]();
    }
  }, 600_000);
});
