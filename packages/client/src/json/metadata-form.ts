/** The forms of the members of an object's metadata, for a scanner that does not build them. */

import { OPEN_BRACE, QUOTE } from './json-byte.ts';

/** `texts`: an object whose members are strings. `owners`: an array of objects whose members are strings and booleans. */
export type MetadataForm = 'number' | 'objects' | 'owners' | 'text' | 'textList' | 'texts';

const encoder = new TextEncoder();

/** By the length of the name: most members are told apart by that alone. */
const FORMS: readonly (readonly { readonly name: Uint8Array; readonly form: MetadataForm }[] | undefined)[] = byLength({
  labels: 'texts',
  finalizers: 'textList',
  generation: 'number',
  annotations: 'texts',
  generateName: 'text',
  managedFields: 'objects',
  ownerReferences: 'owners',
  creationTimestamp: 'text',
  deletionTimestamp: 'text',
  deletionGracePeriodSeconds: 'number',
});

/** What the member whose name stands between `from` and `to` must be; `undefined`: anything. */
export function metadataForm(bytes: Uint8Array, from: number, to: number): MetadataForm | undefined {
  const candidates = FORMS[to - from];
  if (candidates === undefined) return undefined;
  for (const { name, form } of candidates) if (isAt(bytes, from, name)) return form;
  return undefined;
}

/** Does a string begin with this byte? */
export function isTextStart(byte: number): boolean {
  return byte === QUOTE;
}

export function isObjectStart(byte: number): boolean {
  return byte === OPEN_BRACE;
}

const [MINUS, ZERO, NINE, LOWER_F, LOWER_T] = [0x2d, 0x30, 0x39, 0x66, 0x74] as const;

export function isNumberStart(byte: number): boolean {
  return byte === MINUS || (byte >= ZERO && byte <= NINE);
}

export function isTextOrBooleanStart(byte: number): boolean {
  return byte === QUOTE || byte === LOWER_T || byte === LOWER_F;
}

function isAt(bytes: Uint8Array, from: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i += 1) if (bytes[from + i] !== text[i]) return false;
  return true;
}

function byLength(forms: Readonly<Record<string, MetadataForm>>): typeof FORMS {
  const all: { readonly name: Uint8Array; readonly form: MetadataForm }[][] = [];
  for (const [name, form] of Object.entries(forms))
    (all[name.length] ??= []).push({ name: encoder.encode(name), form });
  return all;
}
