/** The interface of schema libraries (Zod, ArkType and others) that say their types and their JSON Schema. */

import { isRecord } from '@listwatch/api/values';

/** A schema with its type, as https://standardschema.dev describes it. Only what is used here. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: string }) => Readonly<Record<string, unknown>> }
      | undefined;
  };
}

/** A JSON Schema, of any of its versions, or the one of OpenAPI 3.0. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** What an author writes, before defaults are filled. */
export type SchemaInput<S> = S extends StandardSchema<infer Input, unknown> ? Input : unknown;

/** What is read back, with its defaults. */
export type SchemaOutput<S> = S extends StandardSchema<unknown, infer Output> ? Output : unknown;

/** In this order: OpenAPI's is nearest to that of CRDs, and not all libraries write it. */
const TARGETS = ['openapi-3.0', 'draft-2020-12', 'draft-07'];

/** The JSON Schema of what an author writes. Throws a TypeError for a library that has none. */
export function jsonSchemaOf(schema: JsonSchema | StandardSchema): JsonSchema {
  if (!isStandardSchema(schema)) return schema;
  const { vendor, jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new TypeError(`${vendor} tells no JSON Schema of its schemas: give defineKind a JSON Schema that it makes`);
  }
  const failures: unknown[] = [];
  for (const target of TARGETS) {
    try {
      return jsonSchema.input({ target });
    } catch (error) {
      failures.push(error);
    }
  }
  throw new TypeError(`${vendor} cannot write this schema as JSON Schema: ${String(failures[0])}`, {
    cause: failures[0],
  });
}

function isStandardSchema(schema: JsonSchema | StandardSchema): schema is StandardSchema {
  // ArkType's schemas are functions.
  const has = isRecord(schema) || typeof schema === 'function';
  return has && '~standard' in schema;
}
