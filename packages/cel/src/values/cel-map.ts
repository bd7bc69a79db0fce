/** Maps and objects: views of JSON objects, whose values are adapted when they are read, and maps that expressions make. */
import type { Adapt } from './cel-list.ts';
import { CelDouble, CelUint, type CelValue } from './cel-value.ts';

/** How the fields of an object are read, by name. Other fields are not seen. */
export type FieldAdapters = ReadonlyMap<string, Adapt>;

/** A key as it is looked up: numbers of every type that are equal are the same; a list or map is only itself. */
export type MapKey = CelValue;

/** A JSON object. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Whether the JSON is an object, not null and not a list. The package imports no other, so that it has its own check. */
export function isRawObject(raw: unknown): raw is RawObject {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw);
}

/** How a JSON object is read when its fields have other names in expressions than in JSON, or when some are left out. */
export interface RawObjectView {
  size(raw: RawObject): number;
  find(raw: RawObject, key: string): CelValue | undefined;
  keys(raw: RawObject): readonly string[];
  /** Are the parts equal that expressions do not see? */
  sameHidden(raw: RawObject, other: RawObject): boolean;
}

/** The names of the fields of a large object, by those that the type of the map has. */
interface RawNames {
  readonly fields: FieldAdapters | undefined;
  readonly names: readonly string[];
}

/**
 * An expression makes a view of `object.data` each time it reads it, and pays one unit for its size: without this a loop would list
 * 1 500 names each time, for a hundred milliseconds.
 */
const KNOWN_NAMES = new WeakMap<RawObject, RawNames>();
/** The names of smaller objects are listed as fast as they are found. */
const KNOWN_MIN = 16;

const NO_ENTRIES: ReadonlyMap<MapKey, readonly [CelValue, CelValue]> = new Map();

/** A map, or an object of a declared type. The data behind it must not change. */
export class CelMap {
  /** The name of the object's type; `map` for maps. */
  readonly typeName: string;
  readonly #entries: ReadonlyMap<MapKey, readonly [key: CelValue, value: CelValue]>;
  readonly #raw: RawObject | undefined;
  readonly #adapt: Adapt | FieldAdapters | undefined;
  readonly #view: RawObjectView | undefined;
  #names: readonly string[] | undefined;

  private constructor(
    typeName: string,
    entries: ReadonlyMap<MapKey, readonly [CelValue, CelValue]>,
    raw?: RawObject,
    adapt?: Adapt | FieldAdapters,
    view?: RawObjectView,
  ) {
    this.typeName = typeName;
    this.#entries = entries;
    this.#raw = raw;
    this.#adapt = adapt;
    this.#view = view;
    this.#names = undefined;
  }

  /** A map with the entries of a {@link MapKey} map, without a copy. */
  static of(entries: ReadonlyMap<MapKey, readonly [key: CelValue, value: CelValue]>, typeName: string = 'map'): CelMap {
    return new CelMap(typeName, entries);
  }

  /** A map of a JSON object with string keys, without a copy: `adapt` is called whenever a value is read. */
  static adapted(raw: RawObject, adapt: Adapt): CelMap {
    return new CelMap('map', NO_ENTRIES, raw, adapt);
  }

  /** An object of a declared type, without a copy. */
  static object(typeName: string, raw: RawObject, fields: FieldAdapters): CelMap {
    return new CelMap(typeName, NO_ENTRIES, raw, fields);
  }

  /** A JSON object as a view shows it, without a copy. Its type is `map`. */
  static viewed(raw: RawObject, view: RawObjectView): CelMap {
    return new CelMap('map', NO_ENTRIES, raw, undefined, view);
  }

  get size(): number {
    if (this.#view !== undefined && this.#raw !== undefined) return this.#view.size(this.#raw);
    return this.#raw === undefined ? this.#entries.size : this.#rawNames(this.#raw).length;
  }

  /** The value of a key or field. Keys of different numeric types are equal when their numbers are. */
  find(key: CelValue): CelValue | undefined {
    const raw = this.#raw;
    if (raw === undefined) {
      return this.#entries.get(mapKey(key))?.[1];
    }
    if (typeof key !== 'string') return undefined;
    if (this.#view !== undefined) return this.#view.find(raw, key);
    const value = raw[key];
    // Nothing of Object.prototype is a field: it has functions and `__proto__` only.
    if (value === undefined || ((typeof value === 'function' || key === '__proto__') && !Object.hasOwn(raw, key))) {
      return undefined;
    }
    const adapt = this.#adapt;
    if (typeof adapt === 'function') return adapt(value);
    return adapt?.get(key)?.(value);
  }

  /** The keys, in the order of the data. */
  keys(): readonly CelValue[] {
    if (this.#raw !== undefined) return this.#view?.keys(this.#raw) ?? this.#rawNames(this.#raw);
    return [...this.#entries.values()].map(([key]) => key);
  }

  /** Are the parts equal that expressions do not see? */
  sameHidden(other: CelMap): boolean {
    if (this.#view === undefined || this.#raw === undefined || other.#raw === undefined) return true;
    return this.#view.sameHidden(this.#raw, other.#raw);
  }

  #rawNames(raw: RawObject): readonly string[] {
    if (this.#names === undefined) {
      const adapt = this.#adapt;
      this.#names = namesOf(raw, typeof adapt === 'function' ? undefined : adapt);
    }
    return this.#names;
  }
}

function namesOf(raw: RawObject, fields: FieldAdapters | undefined): readonly string[] {
  const known = KNOWN_NAMES.get(raw);
  if (known !== undefined && known.fields === fields) return known.names;
  const all = Object.keys(raw);
  const names = all.filter((name) => raw[name] !== undefined && (fields?.has(name) ?? true));
  if (all.length >= KNOWN_MIN) KNOWN_NAMES.set(raw, { fields, names });
  return names;
}

/** The key as it is looked up. */
export function mapKey(key: CelValue): MapKey {
  if (key instanceof CelUint) return key.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(key.value) : key.value;
  if (key instanceof CelDouble) {
    const { value } = key;
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value + 0;
  }
  return key;
}
