import { beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN_KINDS } from '../kinds/built-in-definitions.test-d.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { VerbFixture } from './verb-fixture.test-d.ts';

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
});
