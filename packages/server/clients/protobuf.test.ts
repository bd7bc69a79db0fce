import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type JsonRecord, recordOf } from '@listwatch/api/values';
import { needs } from '@listwatch/conformance/parts';
import { KIND_TABLE } from '@listwatch/kinds/data';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { canonical, encodeMessage, openEnvelope, sealEnvelope, type TypeName } from '@listwatch/schema';
import { describe, expect, it } from 'vitest';
import { decodeBodyMessage } from '../src/write/body/body-message.ts';
import { startClientServer } from './client-server.fixture.ts';

const run = promisify(execFile);

/** An object that Go has filled and written: `objects.jsonl` is what the program beside it prints. */
interface Written {
  readonly apiVersion: string;
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

const META_KINDS = ['DeleteOptions', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'Status'] as const;

const TYPES: ReadonlyMap<string, TypeName> = new Map([
  ...KIND_TABLE.flatMap(({ group, version, kind, type, listType, subresources }) => [
    named(group, version, kind, type),
    ...(listType === undefined ? [] : [named(group, version, `${kind}List`, listType)]),
    ...Object.values(subresources).map((sub) => named(sub.group, sub.version, sub.kind, sub.type)),
  ]),
  ...META_KINDS.flatMap((kind) => ['', 'meta.k8s.io'].map((group) => named(group, 'v1', kind, `meta/v1.${kind}`))),
]);

function named(group: string, version: string, kind: string, type: TypeName): readonly [string, TypeName] {
  return [`${group === '' ? version : `${group}/${version}`} ${kind}`, type];
}

await BUILT_IN_SCHEMAS.loadAll(TYPES.values());

function typeOf({ apiVersion, kind }: Written): TypeName {
  const type = TYPES.get(`${apiVersion} ${kind}`);
  if (type === undefined) throw new Error(`${apiVersion} ${kind} has no schema`);
  return type;
}

function decoded(written: Written): JsonRecord {
  const { apiVersion, kind, message } = openEnvelope(Buffer.from(written.protobuf, 'base64'));
  return { kind, apiVersion, ...decodeBodyMessage(BUILT_IN_SCHEMAS, typeOf(written), message).fields };
}

function canonicalJson(written: Written): JsonRecord {
  const json = recordOf(JSON.parse(written.json));
  const { kind, apiVersion } = json;
  return { kind, apiVersion, ...canonical(BUILT_IN_SCHEMAS.plan(typeOf(written)), json) };
}

function encoded(written: Written, object: JsonRecord): string {
  const { apiVersion, kind } = written;
  const message = encodeMessage(BUILT_IN_SCHEMAS.message(typeOf(written)), object);
  return Buffer.from(sealEnvelope({ apiVersion, kind, message })).toString('base64');
}

describe('what Go writes as protobuf', () => {
  it('is there for every kind that the server knows, in three ways', () => {
    const types = objects.map((object) => `${typeOf(object)} ${object.filled}`);
    const kinds = KIND_TABLE.flatMap(({ type, subresources }) => [
      type,
      ...Object.values(subresources).map((sub) => sub.type),
    ]);
    // Options of proxies and of commands are never sent.
    const expected = [...new Set(kinds)]
      .filter((type) => !type.endsWith('Options'))
      .flatMap((type) => ['empty', 'full', 'zero'].map((filled) => `${type} ${filled}`));
    expect(types).toEqual(expect.arrayContaining(expected));
  });

  it('has one form for all lists: the metadata, and the items as repeated fields', () => {
    for (const { listType } of KIND_TABLE) {
      if (listType === undefined) continue;
      const { fields } = BUILT_IN_SCHEMAS.message(listType);
      expect(fields.map((field) => ('name' in field ? [field.number, field.name] : []))).toEqual([
        [1, 'metadata'],
        [2, 'items'],
      ]);
    }
  });

  // Byte for byte: order, types and names of all fields, of which no two have the same value.
  const full = objects.filter(({ filled }) => filled === 'full');
  it.each(full)('is the JSON that Go writes for the same $apiVersion $kind', (written) => {
    expect(JSON.stringify(decoded(written))).toBe(written.json);
  });

  // Go writes null for some of what is not there; here it is left out.
  it.each(objects)('is the same $apiVersion $kind as in JSON when it is $filled', (written) => {
    expect(decoded(written)).toEqual(canonicalJson(written));
  });

  it.each(objects)('is what we write for the JSON of $apiVersion $kind when it is $filled', (written) => {
    expect(encoded(written, recordOf(JSON.parse(written.json)))).toBe(written.protobuf);
    // Canonical JSON has empty bytes where required ones are missing: such an object is refused and never stored.
    if (written.kind === 'CertificateSigningRequest' && written.filled === 'zero') return;
    expect(encoded(written, canonicalJson(written))).toBe(written.protobuf);
    expect(encoded(written, decoded(written))).toBe(written.protobuf);
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

  it('watches ConfigMaps with a typed informer and with one of metadata', async () => {
    const program = build();
    const server = await startClientServer();
    try {
      const { stdout, stderr } = await run(program, ['informers', server.kubeconfig]);
      const protobuf = 'application/vnd.kubernetes.protobuf';
      expect({ stdout, stderr }).toEqual({
        stdout: `synced [default/b default/c default/d] from [${protobuf} ${protobuf};stream=watch]\n`,
        stderr: '',
      });
    } finally {
      await server[Symbol.asyncDispose]();
    }
  }, 600_000);
});
