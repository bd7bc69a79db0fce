import { describe, expect, it } from 'vitest';
import { definitionHead } from './definition-head.ts';

function definition(schema: unknown, annotation = 'x'): object {
  const versions = ['v1', 'v2'].map((name) => ({ name, schema: { openAPIV3Schema: schema }, served: true }));
  return {
    metadata: { name: 'a', annotations: { openAPIV3Schema: annotation } },
    spec: { versions },
    status: { a: 1 },
  };
}

function head(object: object): unknown {
  return definitionHead(Buffer.from(JSON.stringify(object)));
}

describe('the head of a definition', () => {
  it.each([
    ['a plain schema', { type: 'object', properties: { a: { type: 'string' } } }],
    ['a property of the same name', { properties: { openAPIV3Schema: { properties: { b: {} } } } }],
    ['braces and quotes in texts', { description: '}{"\\', default: { '"': '{\\"openAPIV3Schema\\":{' } }],
    ['an empty schema', {}],
  ])('has all but %s', (_, schema) => {
    expect(head(definition(schema))).toEqual(definition({}));
  });

  it('keeps a text that looks like a schema', () => {
    const text = '"openAPIV3Schema":{"a":{}}';
    expect(head(definition({ type: 'object' }, text))).toEqual(definition({}, text));
  });

  it('is the whole object when there is no schema', () => {
    expect(head({ metadata: {}, spec: { versions: [{ name: 'v1' }] } })).toEqual({
      metadata: {},
      spec: { versions: [{ name: 'v1' }] },
    });
  });

  it.each(['', '[]', '{}', '{"metadata":1}', '{"metadata":{},"spec":{"openAPIV3Schema":{"a":'])(
    'of %j cannot be read',
    (text) => {
      expect(() => definitionHead(Buffer.from(text))).toThrow(SyntaxError);
    },
  );
});
