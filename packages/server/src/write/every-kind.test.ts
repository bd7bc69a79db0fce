import { FUZZ_KINDS } from '@listwatch/conformance/fuzz';
import { beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../kinds/built-in-definitions.fixture.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { VerbFixture } from './verb.fixture.ts';

const KINDS = BUILT_IN_KINDS.map((definition) => [definition.data.type, definition] as const);
const CREATED = KINDS.filter(([, { verbs }]) => verbs.includes('create'));

let server: VerbFixture;

beforeEach(async () => {
  server = await new VerbFixture().namespace();
});

function collection({ resource: { group, version, plural, namespaced } }: ResourceDefinition): string {
  return `${group === '' ? '/api' : `/apis/${group}`}/${version}/${namespaced ? 'namespaces/x/' : ''}${plural}`;
}

describe('every kind', () => {
  it.each(CREATED)('refuses unknown fields and wrong types by their place: %s', async (_, definition) => {
    const url = `${collection(definition)}?fieldValidation=Strict`;
    const { kind } = definition.resource;
    const strict = await server.call('POST', url, { body: { metadata: { name: 'a', bogus: 1 }, nothing: {} } });
    expect([strict.status, strict.body.message]).toEqual([
      400,
      expect.stringContaining(
        `cannot be handled as a ${kind}: strict decoding error: unknown field "metadata.bogus", unknown field "nothing"`,
      ),
    ]);
    const wrong = await server.call('POST', url, { body: { metadata: { name: 5 } } });
    expect(wrong.body.message).toContain(
      `cannot be handled as a ${kind}: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string`,
    );
  });

  // An object of the fuzzer that is refused at once reaches nothing behind validation.
  it.each(FUZZ_KINDS)('takes the object that the fuzzer starts from: $root/$plural', async (kind) => {
    const url = `${kind.root}/${kind.namespaced ? 'namespaces/fuzz-0/' : ''}${kind.plural}?fieldValidation=Strict`;
    await server.namespace('fuzz-0');
    const { metadata, ...rest } = kind.object;
    const body = { ...rest, metadata: { ...Object(metadata), name: 'a' } };
    const { status, body: answer } = await server.call('POST', url, { body });
    expect([status, answer.message]).toEqual([201, undefined]);
  });
});
