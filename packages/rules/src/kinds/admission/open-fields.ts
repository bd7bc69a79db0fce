import type { CelType } from '@listwatch/cel';

/** The fields of an object type that accepts every name: undeclared fields have the type `rest`. */
export class OpenFields extends Map<string, CelType> {
  readonly #rest: CelType;

  constructor(fields: Readonly<Record<string, CelType>>, rest: CelType) {
    super(Object.entries(fields));
    this.#rest = rest;
  }

  override get(name: string): CelType {
    return super.get(name) ?? this.#rest;
  }

  override has(): boolean {
    return true;
  }
}
