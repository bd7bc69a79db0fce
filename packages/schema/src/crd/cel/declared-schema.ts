/** The part of a structural schema that gives an expression its types: `openAPIV3Schema` as JSON has more. */
export interface DeclaredSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly maxLength?: bigint | number;
  readonly maxItems?: bigint | number;
  readonly maxProperties?: bigint | number;
  readonly properties?: Readonly<Record<string, DeclaredSchema>>;
  readonly additionalProperties?: DeclaredSchema | boolean;
  readonly items?: DeclaredSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

const TEXT: DeclaredSchema = { type: 'string' };
const METADATA: DeclaredSchema = { type: 'object', properties: { name: TEXT, generateName: TEXT } };

/** The schema of a whole object: expressions see its apiVersion, kind, name and generateName and nothing else of its metadata. */
export function withObjectMetadata(schema: DeclaredSchema): DeclaredSchema {
  return {
    ...schema,
    properties: { ...schema.properties, apiVersion: TEXT, kind: TEXT, metadata: METADATA },
  };
}

/** The schema of the values of a map; `undefined` when it is no map. */
export function valuesSchema(schema: DeclaredSchema): DeclaredSchema | undefined {
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}

/** Has it fields with names? */
export function hasProperties(schema: DeclaredSchema): boolean {
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0;
}
