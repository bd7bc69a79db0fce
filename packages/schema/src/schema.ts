/**
 * The schema language: what the values of a kind are. One language for built-in kinds, whose schemas are generated from
 * the Go types of Kubernetes, and for custom kinds, whose structural OpenAPI schemas are translated. Plain data: a schema
 * can be written to a file, compared and frozen. Start at {@link Schema}.
 */

/** The types that hold no other values. */
export const SCALAR_TYPES = [
  /** Any JSON value. In no protobuf message. */
  'any',
  'bool',
  /** Base64 in JSON. */
  'bytes',
  /** A Go duration as text: `1h30m`. */
  'duration',
  /** Any JSON object: the field set of one manager. In protobuf a message with the JSON as bytes. */
  'fieldsV1',
  'float64',
  'int32',
  'int64',
  'intOrString',
  /** Any JSON value. In protobuf a message with the JSON as bytes. */
  'json',
  /** RFC 3339 with microseconds. */
  'microTime',
  /** An amount such as `500m` or `1Gi`; JSON numbers are accepted, too. */
  'quantity',
  /** An object of any kind. In protobuf a message with the encoded object as bytes. */
  'rawExtension',
  'string',
  /** RFC 3339 in whole seconds. */
  'time',
] as const;

/** A type that holds no other values. */
export type ScalarType = (typeof SCALAR_TYPES)[number];

/** The full name of a type in a {@link SchemaPackage}: the package's name, a dot, the type's: `core/v1.Pod`. */
export type TypeName = `${string}.${string}`;

/** What a value is. A text alone stands for `{ type: text }`. */
export type Schema = ScalarType | TypeName | SchemaNode;

/** A schema with its rules: exactly one of `type`, `list`, `map` and `fields` says what the value is. */
export type SchemaNode = NamedSchema | ListSchema | MapSchema | StructSchema;

/** A schema that follows no more names. */
export type ResolvedSchema = (NamedSchema & { readonly type: ScalarType }) | ListSchema | MapSchema | StructSchema;

/** What may be said of any value. */
export interface ValueRules {
  /** What an absent value becomes. Go code of Kubernetes sets more defaults than these. */
  readonly default?: unknown;
  /** The values that are allowed. */
  readonly enum?: readonly unknown[];
  /** Custom kinds: what their author says of the value, for OpenAPI. The data of built-in kinds has no texts. */
  readonly description?: string;
  /** Custom kinds: null is a value of its own. Elsewhere null is an absent value. */
  readonly nullable?: true;
  /** Declarative validation of built-in kinds: the text behind `+k8s:` of each marker, in their order. */
  readonly markers?: readonly string[];
  /** Validation of custom kinds. */
  readonly validation?: Validation;
}

/** A scalar, or a value of a named type. The rules here win over those of the named type. */
export interface NamedSchema extends ValueRules {
  readonly type: ScalarType | TypeName;
  /** Of a named struct or map, as {@link StructSchema} and {@link MapSchema} say it. */
  readonly mapType?: MapKind;
}

/** A list of values of one schema. */
export interface ListSchema extends ValueRules {
  readonly list: Schema;
  /** How appliers share the list: as a whole (`atomic`, the default), item by item (`set`), by key (`map`). */
  readonly listType?: ListKind;
  /** The fields that are the key of an item, for `listType: 'map'`. */
  readonly keys?: readonly string[];
  /** In protobuf the list is a message of its own: its field 1 repeats the items. */
  readonly wrapped?: true;
}

/** An object whose keys its author chooses. */
export interface MapSchema extends ValueRules {
  readonly map: Schema;
  /** Default: `granular`. */
  readonly mapType?: MapKind;
}

/** An object with known fields. */
export interface StructSchema extends ValueRules {
  /** By their names in JSON, in the order in which they are written. */
  readonly fields: Readonly<Record<string, Field>>;
  /** Default: `granular`. */
  readonly mapType?: MapKind;
  /** Fields that are not named are kept. Default: they are dropped, or refused, as `fieldValidation` says. */
  readonly keepsUnknown?: true;
  /** The value is a complete object with `apiVersion`, `kind` and `metadata`. */
  readonly embedded?: true;
  /**
   * In JSON it is not an object with these fields but one of them, alone: a schema or a list of schemas (`orArray`), a
   * boolean (`orBool`) or a list of texts (`orStringArray`). In protobuf it is a message like any other.
   */
  readonly form?: 'orArray' | 'orBool' | 'orStringArray';
}

/** How appliers share a list. */
export type ListKind = 'atomic' | 'map' | 'set';

/** How appliers share an object: as a whole, or field by field. */
export type MapKind = 'atomic' | 'granular';

/** A schema under a name in a struct. */
export type Field = SchemaNode & FieldRules;

/** What is said of a field beside its value. */
export interface FieldRules {
  /** A value must be there. */
  readonly required?: true;
  /** Go holds it by a pointer: an absent value is told from an empty one (`0`, `''`, `false`, `{}`). */
  readonly pointer?: true;
  /**
   * It is written even when it is empty: Go's tag has no `omitempty`. What Go holds as a struct and not by a pointer is
   * always written, unless `omitZero` says otherwise: structs, `time`, `microTime`, `duration`, `quantity`, `intOrString`.
   */
  readonly always?: true;
  /** Go's tag has `omitzero`: what Go holds as a struct and not by a pointer is left out when it is empty. */
  readonly omitZero?: true;
  /** In protobuf. Absent: in no message, as `kind` and `apiVersion`, which stand in the envelope. */
  readonly number?: number;
  /**
   * In protobuf the field is in messages of these numbers, the outermost first, which have no names in JSON: Go inlines
   * their structs.
   */
  readonly within?: readonly number[];
  /** What a strategic merge patch does: `merge`, `retainKeys`, or both. Default: it replaces. */
  readonly patchStrategy?: PatchStrategy;
  /** The field that tells items apart, for lists of structs with the strategy `merge`. */
  readonly patchMergeKey?: string;
  /** The feature gates that the field belongs to: the server drops it while they are off. */
  readonly gates?: readonly string[];
}

/** The strategies of a strategic merge patch. */
export type PatchStrategy = 'merge' | 'merge,retainKeys' | 'replace' | 'retainKeys';

/** Validation in the words of OpenAPI v3, for custom kinds. Only what restricts values: never what they are. */
export interface Validation {
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Validation>>;
  readonly items?: Validation;
  readonly additionalProperties?: Validation;
  readonly allOf?: readonly Validation[];
  readonly anyOf?: readonly Validation[];
  readonly oneOf?: readonly Validation[];
  readonly not?: Validation;
  /** Rules in the Common Expression Language. */
  readonly cel?: readonly CelRule[];
}

/** One of `x-kubernetes-validations`. */
export interface CelRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The named types of one group and version. */
export interface SchemaPackage {
  /** Such as `core/v1`; the first part of every {@link TypeName} in it. */
  readonly name: string;
  /** The Go package of built-in types: messages about wrong types name its last part (`v1.PodSpec`). */
  readonly goPackage?: string;
  /** What its types begin with in OpenAPI: `io.k8s.api.core.v1`. */
  readonly openApiPackage?: string;
  /** The names of the packages that its types refer to. */
  readonly imports: readonly string[];
  readonly types: Readonly<Record<string, SchemaNode>>;
}
