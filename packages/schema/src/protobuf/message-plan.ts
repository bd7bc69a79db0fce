/** What protobuf needs to know of a type, worked out once from its schema. */

import type { ScalarType, StructSchema } from '../schema.ts';

/** A message: its fields by their numbers. */
export interface MessagePlan {
  /** In the order of their numbers, which is the order in which Go writes them. */
  readonly fields: readonly MessageField[];
  readonly byNumber: ReadonlyMap<number, MessageField>;
  /** It is shown in JSON as one of its fields, as {@link StructSchema} says. */
  readonly form: StructSchema['form'];
}

/** A named field, or a message whose fields stand in the object around it. */
export type MessageField = InlineField | NamedField;

/** A message without a name in JSON: its fields stand in the object around it. */
export interface InlineField {
  readonly number: number;
  readonly inline: MessagePlan;
}

/** A field with a name in JSON. */
export interface NamedField {
  readonly number: number;
  readonly name: string;
  readonly value: MessageValue;
  /** Go holds it by a pointer: an absent value is not written, and an empty one is. */
  readonly isPointer: boolean;
  readonly inline?: undefined;
}

/** What a field, an item of a list or a value of a map is. */
export type MessageValue =
  | { readonly is: 'scalar'; readonly scalar: ScalarType }
  | { readonly is: 'message'; readonly message: MessagePlan }
  /** Repeated fields: an item each. */
  | { readonly is: 'list'; readonly item: MessageValue }
  /** Repeated messages: a key and a value each. */
  | { readonly is: 'map'; readonly item: MessageValue }
  /** A message whose field 1 is a list or a map: Go names the type, or it is an item of another. */
  | { readonly is: 'wrapped'; readonly inside: MessageValue };
