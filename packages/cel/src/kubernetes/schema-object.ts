/** Objects and maps of a schema as maps of CEL. */
import type { CelMap } from '../values/cel-map.ts';
import type { CelValue } from '../values/cel-value.ts';
import { escapeFieldName, unescapeFieldName } from './field-name.ts';
import { sameJson } from './preserved-value.ts';
import { adapterOf, type SchemaAdapter } from './schema-value.ts';
import { hasProperties, type StructuralSchema, withObjectMetadata } from './structural-schema.ts';

type Json = Readonly<Record<string, unknown>>;

/** What makes views of JSON objects: with fields by name, or a map when `values` is given. */
export function objectView(
  schema: StructuralSchema,
  isWhole: boolean,
  values: StructuralSchema | undefined,
): (json: Json) => CelMap {
  if (!isWhole && !hasProperties(schema) && values !== undefined) {
    const adapt: SchemaAdapter = (json) => adapterOf(values)(json);
    return (json) => new SchemaMap(json, adapt);
  }
  const { properties = {} } = isWhole ? withObjectMetadata(schema) : schema;
  const fields = new Map(Object.entries(properties));
  const adapt = (name: string, json: unknown): CelValue | undefined => {
    const field = fields.get(name);
    return field === undefined || json === null ? undefined : adapterOf(field)(json);
  };
  return (json) => new SchemaObject(json, adapt);
}

/** A map whose keys the author of the object chose. */
class SchemaMap implements CelMap {
  readonly typeName = 'map';
  readonly #json: Json;
  readonly #adapt: SchemaAdapter;
  #size = -1;

  constructor(json: Json, adapt: SchemaAdapter) {
    this.#json = json;
    this.#adapt = adapt;
  }

  get size(): number {
    if (this.#size < 0) this.#size = Object.keys(this.#json).length;
    return this.#size;
  }

  find(key: CelValue): CelValue | undefined {
    return typeof key === 'string' && Object.hasOwn(this.#json, key) ? this.#adapt(this.#json[key]) : undefined;
  }

  keys(): Iterable<CelValue> {
    return Object.keys(this.#json);
  }
}

/** An object with fields that the schema names. A null field is an absent one. Its type at run time is `map`. */
class SchemaObject implements CelMap {
  readonly typeName = 'map';
  readonly json: Json;
  readonly #adapt: (name: string, json: unknown) => CelValue | undefined;
  #size = -1;

  constructor(json: Json, adapt: (name: string, json: unknown) => CelValue | undefined) {
    this.json = json;
    this.#adapt = adapt;
  }

  /** It counts fields that the schema does not know, as kube-apiserver does. */
  get size(): number {
    if (this.#size < 0) this.#size = Object.keys(this.json).length;
    return this.#size;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return undefined;
    const name = unescapeFieldName(key);
    return name !== undefined && Object.hasOwn(this.json, name) ? this.#adapt(name, this.json[name]) : undefined;
  }

  *keys(): Iterable<CelValue> {
    for (const name of Object.keys(this.json)) {
      if (this.#adapt(name, this.json[name]) !== undefined) yield escapeFieldName(name) ?? name;
    }
  }

  /** Are the fields equal that the schema does not know? One that the other object does not have is not compared. */
  sameUnknown(other: CelMap): boolean {
    if (!(other instanceof SchemaObject)) return true;
    return Object.keys(this.json).every(
      (name) =>
        this.#adapt(name, this.json[name]) !== undefined ||
        !Object.hasOwn(other.json, name) ||
        sameJson(this.json[name], other.json[name]),
    );
  }
}
