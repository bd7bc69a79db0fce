/** Objects and maps of a schema as maps of CEL. */
import { type Adapt, CelMap, type CelValue } from '@listwatch/cel';
import type { RawObject, RawObjectView } from '@listwatch/cel/internal';
import { type DeclaredSchema, hasProperties, valuesSchema, withObjectMetadata } from './declared-schema.ts';
import { escapeFieldName, unescapeFieldName } from './field-name.ts';
import { samePreservedJson } from './preserved-value.ts';

/** Finds the maker of the values of a schema. */
type AdapterOf = (schema: DeclaredSchema) => Adapt;

/** Makes values of JSON objects. `isWhole`: the schema is that of a whole object. */
export function objectAdapter(
  schema: DeclaredSchema,
  isWhole: boolean,
  adapterOf: AdapterOf,
): (json: RawObject) => CelMap {
  const values = valuesSchema(schema);
  if (!isWhole && !hasProperties(schema) && values !== undefined) {
    const adapt: Adapt = (json) => adapterOf(values)(json);
    return (json) => CelMap.adapted(json, adapt);
  }
  const view = new SchemaView(isWhole ? withObjectMetadata(schema) : schema, adapterOf);
  return (json) => CelMap.viewed(json, view);
}

/** An object with fields that the schema names. A null field is an absent one. */
class SchemaView implements RawObjectView {
  readonly #fields: ReadonlyMap<string, DeclaredSchema>;

  readonly #adapterOf: AdapterOf;

  constructor({ properties = {} }: DeclaredSchema, adapterOf: AdapterOf) {
    this.#adapterOf = adapterOf;
    this.#fields = new Map(Object.entries(properties));
  }

  /** It counts fields that the schema does not know, as kube-apiserver does. */
  size(raw: RawObject): number {
    return Object.keys(raw).length;
  }

  find(raw: RawObject, key: string): CelValue | undefined {
    const name = unescapeFieldName(key);
    if (name === undefined) return undefined;
    const field = this.#fields.get(name);
    if (field === undefined || !Object.hasOwn(raw, name)) return undefined;
    const json = raw[name];
    return json === null || json === undefined ? undefined : this.#adapterOf(field)(json);
  }

  keys(raw: RawObject): readonly string[] {
    return Object.keys(raw)
      .filter((name) => raw[name] !== null && this.#fields.has(name))
      .map((name) => escapeFieldName(name) ?? name);
  }

  /** A field that the schema does not know is compared only when both objects have it. */
  sameHidden(raw: RawObject, other: RawObject): boolean {
    return Object.keys(raw).every(
      (name) => this.#fields.has(name) || !Object.hasOwn(other, name) || samePreservedJson(raw[name], other[name]),
    );
  }
}
