/** Makes the plans of messages. */

import type { Field, Schema, StructSchema, TypeName } from '../schema.ts';
import { isScalarType, type SchemaSet, schemaNode } from '../schema-set.ts';
import type { MessageField, MessagePlan, MessageValue } from './message-plan.ts';

/**
 * The plans of a set of schemas: each type is worked out when it is first needed, and kept.
 *
 * @example
 * const plans = new MessagePlans(schemas);
 * const bytes = encodeMessage(plans.message('core/v1.Pod'), pod);
 */
export class MessagePlans {
  readonly #set: SchemaSet;
  readonly #made = new Map<string, MessagePlan>();

  constructor(set: SchemaSet) {
    this.#set = set;
  }

  /** The plan of a struct. Throws a RangeError for an unknown type, a TypeError for one that is no struct. */
  message(type: TypeName): MessagePlan {
    const known = this.#made.get(type);
    if (known !== undefined) return known;
    const resolved = this.#set.resolve(this.#set.get(type));
    if (!('fields' in resolved)) throw new TypeError(`${type} is not a struct`);
    const plan = this.#plan(resolved);
    this.#made.set(type, plan);
    return plan;
  }

  #plan(struct: StructSchema): MessagePlan {
    return new LazyMessagePlan(struct, () => this.#fields(struct));
  }

  #fields({ fields }: StructSchema): readonly MessageField[] {
    const drafts: Draft = new Map();
    for (const [name, field] of Object.entries(fields)) {
      const { number, within = [] } = field;
      if (number !== undefined) draftOf(drafts, within).set(number, { name, field });
    }
    return this.#ordered(drafts);
  }

  #ordered(drafts: Draft): readonly MessageField[] {
    return [...drafts]
      .toSorted(([a], [b]) => a - b)
      .map(([number, draft]): MessageField => {
        if ('inline' in draft) return { number, inline: inlinePlan(this.#ordered(draft.inline)) };
        const { name, field } = draft;
        return { number, name, value: this.#value(field, false), isPointer: field.pointer === true };
      });
  }

  #value(schema: Schema, isItem: boolean): MessageValue {
    const node = schemaNode(schema);
    const resolved = this.#set.resolve(node);
    if ('type' in resolved) return { is: 'scalar', scalar: resolved.type };
    if ('fields' in resolved) {
      const type = 'type' in node && !isScalarType(node.type) ? node.type : undefined;
      return { is: 'message', message: type === undefined ? this.#plan(resolved) : this.message(type) };
    }
    const item = this.#value('list' in resolved ? resolved.list : resolved.map, true);
    const inside: MessageValue = { is: 'list' in resolved ? 'list' : 'map', item };
    return isItem || ('wrapped' in resolved && resolved.wrapped) ? { is: 'wrapped', inside } : inside;
  }
}

type Draft = Map<number, { readonly name: string; readonly field: Field } | { readonly inline: Draft }>;

/** The fields of the message that these numbers lead to. */
function draftOf(fields: Draft, within: readonly number[]): Draft {
  let inside = fields;
  for (const number of within) {
    const known = inside.get(number);
    const next: Draft = known !== undefined && 'inline' in known ? known.inline : new Map();
    inside.set(number, { inline: next });
    inside = next;
  }
  return inside;
}

function inlinePlan(fields: readonly MessageField[]): MessagePlan {
  return { fields, byNumber: new Map(fields.map((field) => [field.number, field])), form: undefined };
}

/** Its fields are worked out when they are first needed: types refer to themselves, and most are never sent. */
class LazyMessagePlan implements MessagePlan {
  readonly form: StructSchema['form'];
  readonly #compile: () => readonly MessageField[];
  #fields: readonly MessageField[] | undefined;
  #byNumber: ReadonlyMap<number, MessageField> | undefined;

  constructor({ form }: StructSchema, compile: () => readonly MessageField[]) {
    this.form = form;
    this.#compile = compile;
  }

  get fields(): readonly MessageField[] {
    this.#fields ??= this.#compile();
    return this.#fields;
  }

  get byNumber(): ReadonlyMap<number, MessageField> {
    this.#byNumber ??= new Map(this.fields.map((field) => [field.number, field]));
    return this.#byNumber;
  }
}
