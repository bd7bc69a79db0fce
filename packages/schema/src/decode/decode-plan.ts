/** What decoding needs to know of a value, worked out once from its schema: nothing is looked up for each object. */

import type { ScalarType } from '../schema.ts';

/** How a value is decoded. */
export type DecodePlan = FormPlan | ListPlan | MapPlan | ScalarPlan | StructPlan;

/** A value without parts that a schema describes. */
export interface ScalarPlan {
  readonly is: 'scalar';
  readonly scalar: ScalarType;
  /** The type as Go names it: messages about wrong types use Go's names. */
  readonly goType: string;
}

/** A list. */
export interface ListPlan {
  readonly is: 'list';
  readonly goType: string;
  readonly item: DecodePlan;
  /** What an item takes at least, as {@link FieldSize} says. */
  readonly itemBytes: number | undefined;
}

/** An object whose keys its author chooses. */
export interface MapPlan {
  readonly is: 'map';
  readonly goType: string;
  readonly item: DecodePlan;
  readonly limit: 'all' | 'values' | undefined;
}

/** A struct that JSON shows as one of its fields. */
export interface FormPlan {
  readonly is: 'form';
  readonly goType: string;
  readonly form: 'orArray' | 'orBool' | 'orStringArray';
  /** What an object, a list and a boolean are; undefined: Go reads nothing from one. */
  readonly branches: { readonly [kind in 'bool' | 'list' | 'struct']: DecodePlan | undefined };
}

/** An object with known fields. */
export interface StructPlan {
  readonly is: 'struct';
  readonly goType: string;
  /** The name of the type without its package: `PodSpec`. */
  readonly goName: string;
  readonly keepsUnknown: boolean;
  /** In the order in which they are written. */
  readonly fields: readonly FieldPlan[];
  readonly byName: ReadonlyMap<string, FieldPlan>;
  /** The fields that are written even when they are absent. */
  readonly alwaysFields: readonly FieldPlan[];
  /** What `{}` becomes: made once, because lists may hold a million of them. */
  readonly emptyForm: EmptyForm;
  /** The fields that have a default or hold values that have one. */
  readonly defaulted: readonly FieldPlan[];
}

/** The canonical form of an object without members. */
export interface EmptyForm {
  readonly form: Readonly<Record<string, unknown>>;
  /** Its size in JSON. */
  readonly bytes: number;
}

/** A field of a struct. */
export interface FieldPlan {
  readonly name: string;
  /** Its place among the fields of its struct. */
  readonly index: number;
  /** A list of it alone. */
  readonly alone: readonly FieldPlan[];
  readonly plan: DecodePlan;
  /** What an absent value is written as when it is always written; compared with to leave out empty ones. */
  readonly zero: unknown;
  /** Written even when it is absent. */
  readonly isAlways: boolean;
  /** Written even when it is empty. */
  readonly isKept: boolean;
  /** A list that is written as null when it is empty. */
  readonly nullsEmpty: boolean;
  /** A struct that is left out when it is as empty as `{}`. */
  readonly omitsZero: boolean;
  /** Go holds it by a pointer. */
  readonly isPointer: boolean;
  /** In how many structs, one in the other, Go inlines it. */
  readonly inlined: number;
  readonly default: unknown;
}

/** What a kind knows of the size of a field beside its schema. */
export interface FieldSize {
  /** What an item of the list takes at least, when defaults make more of it than its schema says: bytes of JSON. */
  readonly itemBytes?: number;
  /** Its kind limits the size of the map's values, or of keys and values, and tells a client which field is too long. */
  readonly limit?: 'all' | 'values';
}
