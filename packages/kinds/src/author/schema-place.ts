/** A part of a schema, and what is said about it when a CRD cannot have it. */

import type { JsonSchema } from './standard-schema.ts';

/** The `openAPIV3Schema` of a CRD, or a part of it. */
export interface StructuralSchema {
  readonly [keyword: string]: unknown;
}

/** Where a schema stands: in which document, at which field, behind which references. */
export interface SchemaPlace {
  readonly root: JsonSchema;
  readonly path: string;
  /** The references that led here: one that comes again never ends. */
  readonly refs: readonly string[];
}

/** The place of a part. */
export function below(place: SchemaPlace, step: string): SchemaPlace {
  return { ...place, path: place.path === '' ? step : `${place.path}.${step}` };
}

/** The error for what a CRD cannot say. */
export function notStructural({ path }: SchemaPlace, problem: string): TypeError {
  return new TypeError(`the schema cannot be that of a CRD: ${path === '' ? 'its root' : path} ${problem}`);
}
