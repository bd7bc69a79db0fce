/** An object whose fields are computed when they are first read, such as the variables of an admission policy. */
import type { CelType } from '../types/cel-type.ts';
import type { CelOpaque, CelResult, CelValue } from './cel-value.ts';

/** The fields of one evaluation. A field may be an error: it stays one, and operators absorb it as any other. */
export class CelFields implements CelOpaque {
  readonly opaqueType: CelType;
  readonly #compute: (name: string) => CelResult | undefined;
  readonly #known = new Map<string, CelResult>();

  /** `compute` is called once for each field; it gives `undefined` for a field that does not exist. */
  constructor(type: CelType, compute: (name: string) => CelResult | undefined) {
    this.opaqueType = type;
    this.#compute = compute;
  }

  find(name: CelValue): CelResult | undefined {
    if (typeof name !== 'string') return undefined;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const value = this.#compute(name);
    if (value !== undefined) this.#known.set(name, value);
    return value;
  }

  equals(other: CelValue): boolean {
    return this === other;
  }
}
