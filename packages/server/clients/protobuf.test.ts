import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@listwatch/conformance/parts';
import { KIND_TABLE } from '@listwatch/kinds/data';
import { canonical, type JsonRecord, type TypeName } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { KIND_RULES } from '../src/kinds/built-in/rules.ts';
import { BUILT_IN_SCHEMAS } from '../src/kinds/kind-schemas.ts';
import { recordOf } from '../src/kinds/shapes/json-value.ts';
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

const TYPES: ReadonlyMap<string, TypeName> = new Map([
  ...KIND_TABLE.map(({ group, version, kind, type }) => {
    return [`${group === '' ? version : `${group}/${version}`} ${kind}`, type] as const;
  }),
  ['v1 DeleteOptions', 'meta/v1.DeleteOptions'],
]);

await BUILT_IN_SCHEMAS.loadAll(TYPES.values());

function decoded({ protobuf }: Written): { readonly type: TypeName; readonly object: JsonRecord } {
  const envelope = openEnvelope(Buffer.from(protobuf, 'base64'));
  if (envelope === undefined) throw new Error('Go has written no envelope');
  const { apiVersion, kind, message } = envelope;
  const type = TYPES.get(`${apiVersion} ${kind}`);
  if (type === undefined) throw new Error(`${apiVersion} ${kind} has no schema`);
  return { type, object: { kind, apiVersion, ...decodeMessage(BUILT_IN_SCHEMAS, type, message) } };
}

describe('what Go writes as protobuf', () => {
  it('is there for every kind that has rules, in three ways', () => {
    const types = objects.map((object) => `${decoded(object).type} ${object.filled}`);
    const expected = Object.keys(KIND_RULES).flatMap((type) =>
      ['empty', 'full', 'zero'].map((filled) => `${type} ${filled}`),
    );
    expect(types).toEqual(expect.arrayContaining(expected));
  });

  // Byte for byte: order, types and names of all fields, of which no two have the same value.
  const full = objects.filter(({ filled }) => filled === 'full');
  it.each(full)('is the JSON that Go writes for the same $kind', (written) => {
    expect(JSON.stringify(decoded(written).object)).toBe(written.json);
  });

  // Go writes null for some of what is not there; here it is left out.
  it.each(objects)('is the same $kind as in JSON when it is $filled', (written) => {
    const { type, object } = decoded(written);
    const json = recordOf(JSON.parse(written.json));
    const { kind, apiVersion } = json;
    expect(object).toEqual({ kind, apiVersion, ...canonical(BUILT_IN_SCHEMAS.plan(type), json) });
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
