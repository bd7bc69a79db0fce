/** The schema of a custom kind's version: `openAPIV3Schema` of a CustomResourceDefinition. Start here. */

import type { FieldError } from '@listwatch/api';
import type { JsonRecord } from '@listwatch/api/values';
import type { StructPlan } from '../decode/decode-plan.ts';
import type { SchemaNode } from '../schema.ts';
import { schemaLanguage } from './schema-language.ts';

/** The rules of metadata, which the server provides: the schema package does not know them. */
export interface MetadataRules {
  /** How metadata is decoded: unknown fields of embedded objects' metadata are dropped. Default: metadata is kept as it is. */
  readonly plan?: () => StructPlan;
  /** The errors in the metadata of an embedded object, for `field` (`spec.template.metadata`). Default: nothing. */
  readonly problems?: (metadata: JsonRecord, field: string) => readonly FieldError[];
}

/**
 * The schema of one version of a custom kind. It costs next to nothing until its first use: then the source is read, and each
 * part of the schema is compiled when a value first needs it. Two versions with one source may share it.
 *
 * @example
 * const schema = new CustomSchema(() => JSON.parse(text).spec.versions[0].schema.openAPIV3Schema);
 * const pruned = pruneObject(schema, object);
 */
export class CustomSchema {
  readonly metadata: MetadataRules;
  readonly #read: () => JsonRecord | undefined;
  #source: JsonRecord | undefined;
  #node: SchemaNode | undefined;

  /** `source` is `openAPIV3Schema` of a valid definition, or a function that reads it on first use. */
  constructor(source: JsonRecord | (() => JsonRecord | undefined), metadata: MetadataRules = {}) {
    this.#read = typeof source === 'function' ? source : () => source;
    this.metadata = metadata;
  }

  /** `openAPIV3Schema` as its author gave it. Never change it: compiled parts are cached by its identity. */
  get source(): JsonRecord {
    this.#source ??= this.#read() ?? {};
    return this.#source;
  }

  /** The same in the schema language, with `apiVersion`, `kind` and `metadata`: for apply, for CEL and for types. */
  get node(): SchemaNode {
    this.#node ??= schemaLanguage(this.source);
    return this.#node;
  }
}
