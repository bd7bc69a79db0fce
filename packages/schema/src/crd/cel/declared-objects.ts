/** The object types of a schema, by their names: each is read when an expression first sees a value of it. */
import type { CelType, ObjectTypes } from '@listwatch/cel';
import type { DeclaredType } from './declared-type.ts';
import { isReserved } from './field-name.ts';

/** An expression gets to a type through the type around it: that one names it. */
export class DeclaredObjects implements ObjectTypes {
  readonly #declared = new Map<string, DeclaredType>();
  readonly #fields = new Map<string, ReadonlyMap<string, CelType>>();

  constructor(root: DeclaredType) {
    this.#add(root);
  }

  fields(name: string): ReadonlyMap<string, CelType> | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const declared = this.#declared.get(name)?.fields;
    if (declared === undefined) return undefined;
    const fields = new Map<string, CelType>();
    for (const [identifier, part] of declared) {
      fields.set(identifier, part.type);
      this.#add(part);
    }
    addReservedNames(fields);
    this.#fields.set(name, fields);
    return fields;
  }

  /** Adds the object, or the object within lists and maps. */
  #add(declared: DeclaredType): void {
    let inner = declared;
    while (inner.element !== undefined) inner = inner.element;
    if (inner.type.kind === 'object') this.#declared.set(inner.type.name, inner);
  }
}

/** Reserved words may stand behind a dot as they are: `self.namespace`. */
function addReservedNames(fields: Map<string, CelType>): void {
  for (const [identifier, type] of fields) {
    if (!identifier.startsWith('__')) continue;
    const word = /^__([a-z]+)__$/.exec(identifier)?.[1];
    if (word !== undefined && isReserved(word)) fields.set(word, type);
  }
}
