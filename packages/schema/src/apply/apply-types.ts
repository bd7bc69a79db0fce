/** Turns schemas into types of apply, each once. */

import type { Schema } from '../schema.ts';
import type { SchemaSet } from '../schema-set.ts';
import type { ApplyType } from './apply-type.ts';

/**
 * The types of apply of a set of schemas, made when they are first needed and then shared.
 *
 * @example
 * new ApplyTypes(schemas).type('apps/v1.Deployment');
 */
export class ApplyTypes {
  readonly #set: SchemaSet;

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /** Throws a RangeError for an unknown type. */
  type(schema: Schema): ApplyType {
    this.#set.resolve(schema);
    throw new Error('not built');
  }
}
