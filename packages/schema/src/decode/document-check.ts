/** Looks for faults of a document while its canonical form is made, so that a document without faults is read once. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { DecodePlan, FieldPlan, StructPlan } from './decode-plan.ts';
import { scalarProblem } from './decode-problem.ts';

/**
 * The faults of one document. It only says that there may be some: `decodeProblem` and `unknownFieldComplaints` say which, in the order and
 * the words of Kubernetes.
 */
export class DocumentCheck {
  #members = 0;
  #isPlain = true;

  /** Has every value the type of its schema, and does the schema know every field? */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** How many members all its objects have together. JSON text with more of them repeats one. */
  get members(): number {
    return this.#members;
  }

  countMembers(count: number): void {
    this.#members += count;
  }

  /** Looks at a value that is neither null nor absent. */
  look(plan: DecodePlan, value: unknown): void {
    switch (plan.is) {
      case 'scalar':
        if (plan.scalar === 'string' && typeof value === 'string') return;
        // JSON within a scalar is not looked into.
        if (typeof value === 'object' || scalarProblem(plan, value, undefined) !== undefined) this.#isPlain = false;
        return;
      case 'list':
        if (!Array.isArray(value)) this.#isPlain = false;
        return;
      case 'map':
      case 'struct':
        if (!isRecord(value)) this.#isPlain = false;
        return;
      case 'form':
        this.#isPlain = false;
    }
  }

  /** The fields to write of an object: at least those that it has, and those that are always written, in their order. */
  fields(plan: StructPlan, value: JsonRecord, keys: readonly string[]): readonly FieldPlan[] {
    const { fields } = plan;
    this.#members += keys.length;
    if (fields.length > FEW_FIELDS) return this.#found(plan, keys);
    let known = 0;
    for (const { name } of fields) if (value[name] !== undefined) known += 1;
    if (known < keys.length) this.#isPlain = false;
    return fields;
  }

  #found({ byName, alwaysFields }: StructPlan, keys: readonly string[]): readonly FieldPlan[] {
    const found = [...alwaysFields];
    for (const key of keys) {
      const field = byName.get(key);
      if (field === undefined) this.#isPlain = false;
      else if (!field.isAlways) insertField(found, field);
    }
    return found;
  }
}

/** To look for each of so many fields costs less than to look up the names of the members. */
const FEW_FIELDS = 8;

/** Inserts a field into a list in order. Most objects arrive in the order of their schema. */
export function insertField(fields: FieldPlan[], field: FieldPlan): void {
  let at = fields.length;
  for (let before = fields[at - 1]; before !== undefined && before.index > field.index; before = fields[at - 1]) {
    fields[at] = before;
    at -= 1;
  }
  fields[at] = field;
}
