/** Texts of Events within the limits of Kubernetes: a text that is too long is cut, because a refused Event helps nobody. */

import { checkDnsSubdomain, checkQualifiedName } from '@listwatch/api';

const MAX_NOTE_BYTES = 1024;
const MAX_WORD_BYTES = 128;
const MAX_NAME_LENGTH = 63;
const CUT = '...';

/** The text of an Event. */
export function noteText(note: string): string {
  return cutBytes(textOf(note), MAX_NOTE_BYTES);
}

/** A reason, an action or an instance. They must not be empty. */
export function wordText(word: string | undefined, fallback: string): string {
  return word === undefined || word === '' ? fallback : cutBytes(textOf(word), MAX_WORD_BYTES);
}

/** The reporting controller must be a qualified name, as label keys are. */
export function controllerText(name: string): string {
  if (checkQualifiedName(name).length === 0) return name;
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/gu, '-').slice(0, MAX_NAME_LENGTH);
  const trimmed = plain.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/gu, '');
  return trimmed === '' ? 'controller' : trimmed;
}

/** client-go's: the object's name and the time in nanoseconds, in hexadecimal. */
export function eventName(regarding: string, nanoseconds: bigint): string {
  const name = `${regarding}.${nanoseconds.toString(16)}`;
  // Names of some kinds, `system:node` for one, and very long ones make no name of an Event.
  return checkDnsSubdomain(name).length === 0 ? name : randomHex().replace(UUID, '$1-$2-$3-$4-$5');
}

/** Programs without types may pass anything, and an error is likely. */
function textOf(value: unknown): string {
  return String(value);
}

const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/u;

/** 16 random bytes. Not `randomUUID`: browsers have that on pages with TLS only, and a controller must not throw there. */
export function randomHex(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const encoder = new TextEncoder();

/** Kubernetes counts bytes. */
function cutBytes(text: string, max: number): string {
  // No text of this length is within the limit, and a note may be megabytes long.
  const head = text.slice(0, max);
  const bytes = encoder.encode(head);
  if (bytes.length <= max && head.length === text.length) return text;
  // `stream`: an incomplete character at the end is left out instead of replaced.
  return new TextDecoder().decode(bytes.subarray(0, max - CUT.length), { stream: true }) + CUT;
}
