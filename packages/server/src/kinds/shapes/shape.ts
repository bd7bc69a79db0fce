/** Shapes: the fields of a kind with their types, in the order in which they are written. */

export const SCALAR_NAMES = [
  'any',
  'bool',
  'bytes',
  'float64',
  'int32',
  'int64',
  'intOrString',
  'microTime',
  'quantity',
  'string',
  'time',
] as const;

/** The types that hold no other fields. `any` is taken as it comes. */
export type ScalarName = (typeof SCALAR_NAMES)[number];

/**
 * A scalar. With `*` in front its zero value is told from its absence and kept; with `!` behind it is written even when
 * it is absent; otherwise its zero value is left out.
 */
export type ScalarShape = ScalarName | `*${ScalarName}` | `${ScalarName}!`;

/** An object with known fields. */
export interface StructShape {
  /** Its name in messages about wrong types. */
  readonly struct: string;
  readonly fields: Readonly<Record<string, Shape>>;
  /** The same fields as a list: they are gone through on every write. */
  readonly entries: readonly (readonly [string, Shape])[];
  /** The numbers in protobuf that were declared. */
  readonly numbers: Readonly<Record<string, string>>;
  /** Written as `{}` when it is absent. */
  readonly always?: boolean;
  /** A strategic patch may name the fields to keep. */
  readonly retainKeys?: boolean;
}

/** How a list is written and patched. */
export interface ListRules {
  /** Items with the same value of this field are merged by a strategic patch. */
  readonly mergeKey?: string;
  /** Scalars are added by a strategic patch and not replaced as a whole. */
  readonly merge?: boolean;
  readonly retainKeys?: boolean;
  /** Written as `null` when it is absent. */
  readonly always?: boolean;
  /** What an item takes at least, when defaults make more of it than its shape says: bytes of JSON. */
  readonly itemBytes?: number;
}

/** A list of things of one shape. */
export interface ListShape extends ListRules {
  readonly list: Shape;
}

/** An object whose keys the client chooses. */
export interface MapShape extends MapRules {
  readonly map: Shape;
}

/** How a map is checked. */
export interface MapRules {
  /** Its kind limits the size of its values, or of keys and values, and tells a client which field is too long. */
  readonly limit?: 'all' | 'values';
}

/** The shape of a value. */
export type Shape = ScalarShape | StructShape | ListShape | MapShape;

/**
 * Declares an object with known fields. In protobuf they are numbered from 1 in their order; a field that does not
 * follow the one before says so: `'mountPath=3'`. `'hostPath=2.1'` is field 1 of a message that is field 2 and has no
 * name in JSON, and `'kind=0'` is in no message.
 */
export function struct(name: string, declared: Readonly<Record<string, Shape>>): StructShape {
  const numbers: Record<string, string> = {};
  const entries = Object.entries(declared).map(([text, shape]) => {
    const [field = '', number] = text.split('=');
    if (number !== undefined) numbers[field] = number;
    return [field, shape] as const;
  });
  return { struct: name, fields: Object.fromEntries(entries), entries, numbers };
}

/** Declares a list. */
export function list(item: Shape, rules: ListRules = {}): ListShape {
  return { list: item, ...rules };
}

/** Declares an object with free keys. */
export function map(value: Shape, rules: MapRules = {}): MapShape {
  return { map: value, ...rules };
}

const NAME_OF: ReadonlyMap<string, ScalarName> = new Map(
  SCALAR_NAMES.flatMap((name) => [name, `*${name}`, `${name}!`].map((marked) => [marked, name] as const)),
);

/** The type of a scalar, without its marks. */
export function scalarName(shape: ScalarShape): ScalarName {
  return NAME_OF.get(shape) ?? 'any';
}

/** The type as Go names it: messages about wrong types use Go's names. */
export function goType(shape: Shape): string {
  if (typeof shape === 'string') {
    const name = scalarName(shape);
    return GO_TYPES[name] ?? name;
  }
  if ('struct' in shape) return `v1.${shape.struct}`;
  return 'list' in shape ? `[]${goType(shape.list)}` : `map[string]${goType(shape.map)}`;
}

const GO_TYPES: Partial<Record<ScalarName, string>> = {
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
};
