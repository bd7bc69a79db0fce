/** Packages of types, linked: names lead to schemas. */

import {
  type Field,
  type ResolvedSchema,
  SCALAR_TYPES,
  type ScalarType,
  type Schema,
  type SchemaNode,
  type SchemaPackage,
} from './schema.ts';

/** Is it the name of a scalar, and not of a type in a package? */
export function isScalarType(name: string): name is ScalarType {
  return SCALAR_NODES.has(name);
}

/** A schema as a node: a text alone is its `type`. */
export function schemaNode(schema: Schema): SchemaNode {
  return typeof schema === 'string' ? { type: schema } : schema;
}

/**
 * Finds types by their names. What it answers is made once and shared: never change it.
 *
 * @example
 * const set = new SchemaSet([coreV1, metaV1]);
 * set.at('core/v1.Pod', ['spec', 'containers', 0, 'image']); // { type: 'string', number: 2 }
 */
export class SchemaSet {
  readonly #types = new Map<string, SchemaNode>();
  readonly #packages = new Map<string, SchemaPackage>();
  readonly #resolved = new WeakMap<SchemaNode, ResolvedSchema>();

  /** Throws a TypeError when a package that another imports is missing, or when two have the same name. */
  constructor(packages: Iterable<SchemaPackage> = []) {
    this.add(packages);
  }

  /** Adds packages to those that are there. Throws as the constructor does, and then adds nothing. */
  add(packages: Iterable<SchemaPackage>): void {
    const added = new Map<string, SchemaPackage>();
    for (const one of packages) {
      if (added.has(one.name) || this.#packages.has(one.name)) {
        throw new TypeError(`two packages of schemas are called ${one.name}`);
      }
      added.set(one.name, one);
    }
    for (const { name, imports } of added.values()) {
      const missing = imports.find((other) => !added.has(other) && !this.#packages.has(other));
      if (missing !== undefined) {
        throw new TypeError(`the package of schemas ${missing} is missing: ${name} imports it`);
      }
    }
    for (const one of added.values()) {
      this.#packages.set(one.name, one);
      for (const [type, node] of Object.entries(one.types)) this.#types.set(`${one.name}.${type}`, node);
    }
  }

  /** Is there a package of this name? */
  hasPackage(name: string): boolean {
    return this.#packages.has(name);
  }

  /** The package that a type of this full name is in; `undefined` for an unknown type. */
  packageOf(name: string): SchemaPackage | undefined {
    return this.has(name) ? this.#packages.get(name.slice(0, name.lastIndexOf('.'))) : undefined;
  }

  /** The package of this name; `undefined` when there is none. */
  package(name: string): SchemaPackage | undefined {
    return this.#packages.get(name);
  }

  /** Is there a type of this full name? */
  has(name: string): boolean {
    return this.#types.has(name);
  }

  /** The definition of a named type. Throws a RangeError for an unknown one. */
  get(name: string): SchemaNode {
    const node = this.#types.get(name);
    if (node === undefined) throw new RangeError(`there is no schema of ${name}`);
    return node;
  }

  /**
   * Follows names until the schema says what the value is. Rules of the schema (default, enum, markers, mapType) win over those
   * of the named types.
   */
  resolve(schema: Schema): ResolvedSchema {
    if (typeof schema === 'string') {
      return SCALAR_NODES.get(schema) ?? this.resolve(this.get(schema));
    }
    if (!('type' in schema)) return schema;
    const known = this.#resolved.get(schema);
    if (known !== undefined) return known;
    const resolved = this.#follow(schema);
    this.#resolved.set(schema, resolved);
    return resolved;
  }

  /**
   * The schema of what is below a value: a text names a field of a struct or a key of a map, a number an item of a list.
   * `undefined` where the schema knows nothing, also below values that may be anything.
   */
  at(schema: Schema, path: readonly (number | string)[]): SchemaNode | undefined {
    let node: SchemaNode | undefined = schemaNode(schema);
    for (const step of path) {
      if (node === undefined) return undefined;
      node = this.#below(this.resolve(node), step);
    }
    return node;
  }

  /** A field of a struct; `undefined` when the schema is no struct or has no such field. */
  field(schema: Schema, name: string): Field | undefined {
    const resolved = this.resolve(schema);
    // Names such as `constructor` must not find what every object inherits.
    return 'fields' in resolved && Object.hasOwn(resolved.fields, name) ? resolved.fields[name] : undefined;
  }

  #below(resolved: ResolvedSchema, step: number | string): SchemaNode | undefined {
    if ('list' in resolved) return typeof step === 'number' ? schemaNode(resolved.list) : undefined;
    if ('map' in resolved) return typeof step === 'string' ? schemaNode(resolved.map) : undefined;
    return typeof step === 'string' ? this.field(resolved, step) : undefined;
  }

  #follow(schema: SchemaNode): ResolvedSchema {
    let merged = schema;
    // No chain is longer than this: `type A B` in Go is written with what B is.
    for (let steps = 0; steps < MAX_STEPS; steps += 1) {
      if (!('type' in merged)) return merged;
      const { type, ...rules } = merged;
      if (isScalarType(type)) return { ...rules, type };
      merged = { ...this.get(type), ...rules };
    }
    throw new RangeError(`the schema ${JSON.stringify(schema)} names itself`);
  }
}

const MAX_STEPS = 16;

const SCALAR_NODES: ReadonlyMap<string, ResolvedSchema> = new Map(
  SCALAR_TYPES.map((type) => [type, Object.freeze({ type })]),
);
