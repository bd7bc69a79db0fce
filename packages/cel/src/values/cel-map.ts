/** Maps and objects. */
import type { CelValue } from './cel-value.ts';

/** A map, or an object of a declared type. It is a view: the data behind it is not copied, and must not change. */
export interface CelMap {
  /** The name of the object's type; `map` for maps. */
  readonly typeName: string;
  readonly size: number;
  /** The value of a key or field. Keys of different numeric types are equal when their numbers are. */
  find(key: CelValue): CelValue | undefined;
  /** The keys, in the order of the data. */
  keys(): Iterable<CelValue>;
}
