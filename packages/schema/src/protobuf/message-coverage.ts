/** Whether the protobuf of an object can be told from its JSON: for servers that have objects of others, and their JSON alone. */

import { isRecord, type JsonRecord } from '@listwatch/api/values';
import type { MessageField, MessagePlan, MessageValue } from './message-plan.ts';

/** What the JSON of every object has beside the fields of its message. */
const ENVELOPE: ReadonlySet<string> = new Set(['apiVersion', 'kind']);
/** Characters that every encoder writes in the same way. */
const PLAIN_JSON = /^[\x20-\x25\x27-\x3b\x3d\x3f-\x7e]*$/u;

/**
 * The objects of one type. `covers` is strict: what it denies may be the same bytes all the same.
 *
 * @example
 * const coverage = new MessageCoverage(schemas.message('core/v1.Pod'));
 * if (coverage.isExact && coverage.covers(pod)) return encodeMessage(schemas.message('core/v1.Pod'), pod);
 */
export class MessageCoverage {
  readonly #plan: MessagePlan;
  readonly #members = new Map<MessagePlan, ReadonlyMap<string, MessageValue>>();
  #isExact: boolean | undefined;

  constructor(plan: MessagePlan) {
    this.#plan = plan;
  }

  /** Does JSON show all that a message of this type can hold? Go writes empty bytes, which JSON leaves out where they are optional. */
  get isExact(): boolean {
    this.#isExact ??= !hasOptionalBytes(this.#plan, new Set());
    return this.#isExact;
  }

  /** Has the message of this object all of its members, and each as Go writes it? */
  covers(object: JsonRecord): boolean {
    return this.#fields(this.#plan, object, ENVELOPE);
  }

  #fields(plan: MessagePlan, object: JsonRecord, others?: ReadonlySet<string>): boolean {
    if (plan.form !== undefined) return false;
    const members = this.#membersOf(plan);
    return Object.entries(object).every(([name, value]) => {
      const member = members.get(name);
      return member === undefined ? others?.has(name) === true : this.#value(member, value);
    });
  }

  #value(plan: MessageValue, value: unknown): boolean {
    if (value === undefined || value === null) return true;
    switch (plan.is) {
      case 'scalar':
        return isPlainScalar(plan.scalar, value);
      case 'message':
        return isRecord(value) && this.#fields(plan.message, value);
      case 'list':
        return Array.isArray(value) && value.every((item) => this.#value(plan.item, item));
      case 'map':
        return isRecord(value) && Object.values(value).every((item) => this.#value(plan.item, item));
      case 'wrapped':
        return this.#value(plan.inside, value);
    }
  }

  #membersOf(plan: MessagePlan): ReadonlyMap<string, MessageValue> {
    const known = this.#members.get(plan);
    if (known !== undefined) return known;
    const members = new Map(namedFields(plan.fields));
    this.#members.set(plan, members);
    return members;
  }
}

/** JSON inside protobuf is as somebody once sent it, with spaces and all; that of managed fields is written by the server. */
function isPlainScalar(scalar: string, value: unknown): boolean {
  if (scalar === 'any' || scalar === 'json' || scalar === 'rawExtension') return false;
  return scalar !== 'fieldsV1' || PLAIN_JSON.test(JSON.stringify(value));
}

/** With those of messages that have no name in JSON. */
function namedFields(fields: readonly MessageField[]): readonly (readonly [string, MessageValue])[] {
  return fields.flatMap((field) =>
    field.inline === undefined ? [[field.name, field.value] as const] : namedFields(field.inline.fields),
  );
}

function hasOptionalBytes(plan: MessagePlan, seen: Set<MessagePlan>): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  return namedFields(plan.fields).some(([, value]) => {
    if (value.is === 'scalar') return value.scalar === 'bytes';
    const inside = messageIn(value);
    return inside !== undefined && hasOptionalBytes(inside, seen);
  });
}

function messageIn(value: MessageValue): MessagePlan | undefined {
  switch (value.is) {
    case 'scalar':
      return undefined;
    case 'message':
      return value.message;
    case 'list':
    case 'map':
      return messageIn(value.item);
    case 'wrapped':
      return messageIn(value.inside);
  }
}
