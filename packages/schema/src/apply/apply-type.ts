/** What apply knows of a value: which parts have owners of their own. Made from schemas by `ApplyTypes`. */

/** The scalars that apply tells apart. `untyped`: any of them. */
export type ApplyScalar = 'boolean' | 'numeric' | 'string' | 'untyped';

/** What a value may be. Of several members the value decides which one counts. */
export interface ApplyType {
  readonly scalar: ApplyScalar | undefined;
  readonly list: ApplyList | undefined;
  readonly map: ApplyMap | undefined;
}

/** A list. Without keys, an associative list is a set of scalars. */
export interface ApplyList {
  readonly isAtomic: boolean;
  readonly item: ApplyType;
  readonly keys: readonly string[];
}

/** The known fields of an object, by their names. */
export interface ApplyFields {
  readonly get: (name: string) => ApplyField | undefined;
  readonly values: () => Iterable<ApplyField>;
}

/** An object, with known fields or with keys that its author chooses. */
export interface ApplyMap {
  readonly isAtomic: boolean;
  readonly fields: ApplyFields;
  /** What members are that are no known fields; undefined: there may be none. */
  readonly element: ApplyType | undefined;
  /** Nothing is known of its members. Field sets below it do not follow changes of the schema. */
  readonly isDeduced: boolean;
}

/** A known field. */
export interface ApplyField {
  readonly type: ApplyType;
  /** What an absent value stands for in the key of an item; undefined: nothing. */
  readonly default: unknown;
}
