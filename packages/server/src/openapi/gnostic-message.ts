/**
 * Documents in protobuf: the messages of gnostic, which are the members of the JSON under numbers. A table says which; see
 * `gnostic-v2.ts` and `gnostic-v3.ts`. The pieces are written forward, with turns of the event loop in between: the `WireWriter` of
 * packages/schema writes a whole message at once, from its end.
 */

import { recordOf } from '@listwatch/api/values';
import { justPause } from '../contract/pause.ts';
import { encodeJson } from '../stored/exact-json.ts';
import { encodedBytes } from './encoded-part.ts';
import { isSmallValue } from './small-value.ts';

/** How a value is encoded: a scalar, any value as YAML, or a message of the table. */
export type GnosticType = 'any' | 'bool' | 'double' | 'int64' | 'string' | `.${string}`;

/** The number of a field, and its type. `repeated`: the value is a list. */
export interface GnosticField {
  readonly number: number;
  readonly type: GnosticType;
  readonly repeated?: true;
}

/** A message, by what its JSON is. */
export type GnosticMessage =
  /** An object with known members; those that begin with `x-` are extensions. */
  | { readonly fields: Readonly<Record<string, GnosticField>>; readonly extensions?: number }
  /** An object with any members: each is a message of a name (1) and a value (2). */
  | { readonly members: GnosticField }
  /** One of several, as the JSON shows. Undefined: the message stays empty. */
  | { readonly choose: (value: unknown) => GnosticField | undefined };

/** All messages of a version by their names, each with a dot in front. The document is `.Document`. */
export type GnosticMessages = Readonly<Record<string, GnosticMessage>>;

/** A few milliseconds of work. */
const TURN_BYTES = 32 * 1024;

/** Encodes a document, or the message of a part, in pieces, with turns of the event loop in between. */
export async function encodeGnostic(messages: GnosticMessages, value: object, type = '.Document'): Promise<Buffer> {
  return new GnosticEncoder(messages).inTurns(type, value);
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;

class GnosticEncoder {
  readonly #messages: GnosticMessages;
  #sinceTurn = 0;

  constructor(messages: GnosticMessages) {
    this.#messages = messages;
  }

  /** The content of a message that is large: its small members are encoded at once. */
  async inTurns(type: string, value: unknown): Promise<Buffer> {
    const encoded = encodedBytes(Object(value));
    if (encoded !== undefined) return encoded.message;
    const message = this.#messages[type];
    if (message === undefined || isSmallValue(value)) return this.#message(type, value);
    if ('choose' in message) {
      const chosen = message.choose(value);
      if (chosen === undefined || !isMessage(chosen)) return this.#message(type, value);
      return bytesField(chosen.number, await this.inTurns(chosen.type, value));
    }
    const isNamed = 'members' in message;
    const pieces: Buffer[] = [];
    for (const [name, member] of Object.entries(recordOf(value))) {
      const field = isNamed ? message.members : message.fields[name];
      const isLarge = field !== undefined && isMessage(field) && !isSmallValue(member);
      const piece = isLarge
        ? memberField(field, name, isNamed, await this.inTurns(field.type, member))
        : this.#message(type, Object.fromEntries([[name, member]]));
      pieces.push(piece);
      // What lies within has had its own turns.
      this.#sinceTurn += isLarge ? 0 : piece.length;
      if (this.#sinceTurn < TURN_BYTES) continue;
      this.#sinceTurn = 0;
      await justPause();
    }
    return Buffer.concat(pieces);
  }

  #message(type: string, value: unknown): Buffer {
    const message = this.#messages[type];
    if (message === undefined) throw new RangeError(`there is no message ${type}`);
    if ('choose' in message) {
      const chosen = message.choose(value);
      // The choice itself is news: also an empty value is written.
      return chosen === undefined ? Buffer.alloc(0) : this.#field(chosen, value, true);
    }
    const members = Object.entries(recordOf(value));
    if ('members' in message) {
      const { number, ...of } = message.members;
      return Buffer.concat(members.map(([name, member]) => bytesField(number, this.#named(name, of.type, member))));
    }
    return Buffer.concat(
      members.map(([name, member]) => {
        const field = message.fields[name];
        if (field !== undefined) return this.#field(field, member, false);
        if (!name.startsWith('x-') || message.extensions === undefined) {
          throw new RangeError(`the message ${type} has no field for ${name}`);
        }
        return bytesField(message.extensions, this.#named(name, 'any', member));
      }),
    );
  }

  #named(name: string, type: GnosticType, value: unknown): Buffer {
    return named(name, this.#field({ number: 2, type }, value, true));
  }

  #field({ number, type, repeated }: GnosticField, value: unknown, always: boolean): Buffer {
    if (repeated === true) {
      const items: readonly unknown[] = Array.isArray(value) ? value : [value];
      return Buffer.concat(items.map((item) => this.#field({ number, type }, item, true)));
    }
    switch (type) {
      case 'any':
        // JSON is YAML.
        return bytesField(number, bytesField(2, Buffer.from(`${encodeJson(value)}\n`)));
      case 'bool':
        return always || value === true ? Buffer.concat([tag(number, VARINT), varint(value === true ? 1 : 0)]) : EMPTY;
      case 'int64':
        return always || value !== 0 ? Buffer.concat([tag(number, VARINT), varint(Number(value))]) : EMPTY;
      case 'double': {
        const bytes = Buffer.alloc(8);
        bytes.writeDoubleLE(Number(value));
        return always || value !== 0 ? Buffer.concat([tag(number, FIXED_64), bytes]) : EMPTY;
      }
      case 'string':
        return always || value !== '' ? bytesField(number, Buffer.from(String(value))) : EMPTY;
      default:
        return bytesField(number, this.#message(type, value));
    }
  }
}

function isMessage({ type, repeated }: GnosticField): boolean {
  return repeated !== true && type.startsWith('.');
}

function memberField({ number }: GnosticField, name: string, isNamed: boolean, content: Buffer): Buffer {
  return bytesField(number, isNamed ? named(name, bytesField(2, content)) : content);
}

const EMPTY = Buffer.alloc(0);
/** Most lengths and all tags but those of extensions are one byte. */
const ONE_BYTE: readonly Buffer[] = Array.from({ length: 128 }, (_, value) => Buffer.from([value]));

function named(name: string, value: Buffer): Buffer {
  return Buffer.concat([bytesField(1, Buffer.from(name)), value]);
}

function bytesField(number: number, content: Buffer): Buffer {
  return Buffer.concat([tag(number, BYTES), varint(content.length), content]);
}

function tag(number: number, wireType: number): Buffer {
  return varint(number * 8 + wireType);
}

function varint(value: number): Buffer {
  const single = ONE_BYTE[value];
  if (single !== undefined) return single;
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}
