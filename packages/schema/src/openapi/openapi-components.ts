/** The types of a schema set as components of an OpenAPI document, as kube-apiserver publishes them. Start here. */

import type { Field, NamedSchema, Schema, SchemaNode, StructSchema, TypeName } from '../schema.ts';
import { isScalarType, type SchemaSet, schemaNode } from '../schema-set.ts';
import { EMPTY_SCALARS, INLINE_SCALARS, scalarComponent } from './openapi-scalars.ts';
import type { GroupVersionKind, OpenApiSchema, OpenApiVersion } from './openapi-schema.ts';
import { openApiValidation } from './openapi-validation.ts';

/** How the components are written. */
export interface OpenApiComponentsOptions {
  /** Default: 3. */
  readonly version?: OpenApiVersion;
  /** The kinds that a type is published as, for `x-kubernetes-group-version-kind`. Default: none. */
  readonly kindsOf?: (type: TypeName) => readonly GroupVersionKind[];
  /** Describes a type, or a field of it. Default: nothing is described but what schemas say themselves. */
  readonly describe?: ((type: TypeName, field?: string) => string | undefined) | undefined;
}

/**
 * Collects the components that a document needs: each type that is referred to, once, with all that it refers to.
 *
 * @example
 * const components = new OpenApiComponents(schemas);
 * components.ref('core/v1.Pod'); // '#/components/schemas/io.k8s.api.core.v1.Pod'
 * components.schemas(); // { 'io.k8s.api.core.v1.Affinity': {...}, ... }
 */
export class OpenApiComponents {
  readonly #set: SchemaSet;
  readonly #version: OpenApiVersion;
  readonly #kindsOf: (type: TypeName) => readonly GroupVersionKind[];
  readonly #describe: NonNullable<OpenApiComponentsOptions['describe']>;
  readonly #schemas = new Map<string, OpenApiSchema>();

  constructor(set: SchemaSet, options: OpenApiComponentsOptions = {}) {
    this.#set = set;
    this.#version = options.version ?? 3;
    this.#kindsOf = options.kindsOf ?? (() => []);
    this.#describe = options.describe ?? (() => undefined);
  }

  /** The components so far, by their names, in order. */
  schemas(): Readonly<Record<string, OpenApiSchema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }

  /** What refers to a struct; it is among the components from now on. Throws a RangeError for an unknown type. */
  ref(type: TypeName): string {
    const name = openApiName(this.#set, type);
    return this.#refTo(name, () => this.#component(type));
  }

  /** Adds a component that no schema describes, such as the body of a patch, and gives what refers to it. */
  add(name: string, schema: OpenApiSchema): string {
    return this.#refTo(name, () => schema);
  }

  #refTo(name: string, make: () => OpenApiSchema): string {
    if (!this.#schemas.has(name)) {
      // A type may refer to itself: it must be known before its fields are looked at.
      this.#schemas.set(name, {});
      this.#schemas.set(name, make());
    }
    return `${this.#version === 2 ? '#/definitions/' : '#/components/schemas/'}${name}`;
  }

  #component(type: TypeName): OpenApiSchema {
    const resolved = this.#set.resolve(type);
    if (!('fields' in resolved)) throw new RangeError(`${type} is no struct`);
    // In JSON it is one of several types, which OpenAPI of Kubernetes does not say.
    if (resolved.form !== undefined) return {};
    const kinds = this.#kindsOf(type);
    return {
      ...described(this.#describe(type)),
      ...this.#struct(resolved, isBuiltIn(this.#set, type), type),
      ...(kinds.length === 0 ? {} : { 'x-kubernetes-group-version-kind': kinds }),
    };
  }

  /** `type` is its name, if it has one. */
  #struct(struct: StructSchema, builtIn: boolean, type?: TypeName): OpenApiSchema {
    const fields = Object.entries(struct.fields);
    const required = fields.filter(([, field]) => field.required === true).map(([name]) => name);
    const properties = Object.fromEntries(
      fields.map(([name, field]) => {
        const text = type === undefined ? undefined : this.#describe(type, name);
        return [name, this.#property(field, builtIn, text)];
      }),
    );
    return {
      ...rulesOf(struct),
      type: 'object',
      ...(fields.length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required: required.toSorted() }),
      ...(struct.mapType === undefined ? {} : { 'x-kubernetes-map-type': struct.mapType }),
      ...(struct.keepsUnknown === true ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
      ...(struct.embedded === true ? { 'x-kubernetes-embedded-resource': true } : {}),
    };
  }

  #property(field: Field, builtIn: boolean, text: string | undefined): OpenApiSchema {
    const { patchStrategy, patchMergeKey } = field;
    return this.#withDefault(
      {
        ...described(text),
        ...this.#value(field, builtIn),
        ...(patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': patchMergeKey }),
        ...(patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': patchStrategy }),
      },
      field.default ?? (builtIn ? this.#impliedDefault(field) : undefined),
    );
  }

  /** What Go writes for a field that nobody has set. */
  #impliedDefault(field: Field): unknown {
    if (field.pointer === true) return undefined;
    if (field.always !== true && !('fields' in this.#set.resolve(field))) return undefined;
    return this.#empty(field);
  }

  #empty(schema: Schema): unknown {
    const resolved = this.#set.resolve(schema);
    if ('fields' in resolved) return resolved.form === undefined ? {} : undefined;
    return 'type' in resolved ? EMPTY_SCALARS[resolved.type] : undefined;
  }

  /** An item of a list or a value of a map: Go has no pointers there, so empty values are defaults. */
  #item(schema: Schema, builtIn: boolean): OpenApiSchema {
    const node = schemaNode(schema);
    return this.#withDefault(this.#value(node, builtIn), node.default ?? (builtIn ? this.#empty(node) : undefined));
  }

  #withDefault(schema: OpenApiSchema, value: unknown): OpenApiSchema {
    const { $ref, ...rest } = schema;
    // Version 2 allows nothing beside a reference, and Kubernetes prunes its defaults.
    if (this.#version === 2) return schema;
    const said = value === undefined ? rest : { ...rest, default: value };
    if ($ref === undefined) return said;
    return Object.keys(said).length === 0 ? { $ref } : { ...said, allOf: [{ $ref }] };
  }

  #value(node: SchemaNode, builtIn: boolean): OpenApiSchema {
    const resolved = this.#set.resolve(node);
    return {
      ...rulesOf(node),
      ...this.#shape(node, builtIn),
      ...(resolved.enum === undefined ? {} : { enum: resolved.enum }),
      ...('listType' in node && node.listType !== undefined ? { 'x-kubernetes-list-type': node.listType } : {}),
      ...('keys' in node && node.keys !== undefined ? { 'x-kubernetes-list-map-keys': node.keys } : {}),
      ...('mapType' in node && node.mapType !== undefined ? { 'x-kubernetes-map-type': node.mapType } : {}),
    };
  }

  #shape(node: SchemaNode, builtIn: boolean): OpenApiSchema {
    const resolved = this.#set.resolve(node);
    if ('list' in resolved) return { type: 'array', items: this.#item(resolved.list, builtIn) };
    if ('map' in resolved) return { type: 'object', additionalProperties: this.#item(resolved.map, builtIn) };
    if ('fields' in resolved) {
      return isNamed(node) ? { $ref: this.ref(node.type) } : this.#struct(resolved, builtIn);
    }
    const component = builtIn ? scalarComponent(resolved.type, this.#version) : undefined;
    if (component === undefined) return INLINE_SCALARS[resolved.type];
    return { $ref: this.add(component.name, component.schema) };
  }
}

/** The name of a type's component: `io.k8s.api.core.v1.Pod`. Throws a RangeError for an unknown type. */
export function openApiName(set: SchemaSet, type: TypeName): string {
  const found = set.packageOf(type);
  if (found === undefined) throw new RangeError(`there is no schema of ${type}`);
  const { name, openApiPackage = name.replaceAll('/', '.') } = found;
  return `${openApiPackage}${type.slice(name.length)}`;
}

/** Types of Go have components for times and quantities, and imply defaults; schemas of custom kinds say all in place. */
function isBuiltIn(set: SchemaSet, type: TypeName): boolean {
  return set.packageOf(type)?.openApiPackage !== undefined;
}

function isNamed(node: SchemaNode): node is NamedSchema & { readonly type: TypeName } {
  return 'type' in node && !isScalarType(node.type);
}

function described(description: string | undefined): OpenApiSchema {
  return description === undefined ? {} : { description };
}

function rulesOf({ description, nullable, validation }: SchemaNode): OpenApiSchema {
  return {
    ...(description === undefined ? {} : { description }),
    ...(nullable === true ? { nullable } : {}),
    ...(validation === undefined ? {} : openApiValidation(validation)),
  };
}
