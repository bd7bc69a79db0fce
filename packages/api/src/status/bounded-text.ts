/** Text of a limited length for messages: values that clients send may be megabytes long, and a message repeats them. */

import { quote } from '../names/quote.ts';

const CUT = '...';

/** `text`, or its first `max` UTF-16 units and three dots when it is longer. Never cuts a surrogate pair in two. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : `${head(text, max)}${CUT}`;
}

/** `text` in quotes; of longer text the first `max` UTF-16 units in quotes, and three dots behind them. */
export function quoteCut(text: string, max: number): string {
  return text.length <= max ? quote(text) : `${quote(head(text, max))}${CUT}`;
}

/** The JSON of a value, cut off with three dots after about `max` characters. Does no work for what is cut off. */
export function jsonCut(value: unknown, max: number): string {
  const parts: string[] = [];
  const room = print(value, max, parts);
  return `${parts.join('')}${room < 0 ? CUT : ''}`;
}

function head(text: string, max: number): string {
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** Prints the value and returns the room that is left; below zero the rest is not printed. */
function print(value: unknown, room: number, parts: string[]): number {
  if (Array.isArray(value)) return printMembers(value.keys(), (index) => value[index], { room, parts, isList: true });
  if (isPlainObject(value)) {
    return printMembers(Object.keys(value), (key) => value[key], { room, parts, isList: false });
  }
  return printText(typeof value === 'string' ? stringText(value, room) : scalarText(value), room, parts);
}

interface Output {
  readonly room: number;
  readonly parts: string[];
  readonly isList: boolean;
}

function printMembers<K extends number | string>(
  keys: Iterable<K>,
  memberAt: (key: K) => unknown,
  { room, parts, isList }: Output,
): number {
  let left = printText(isList ? '[' : '{', room, parts);
  let separator = '';
  for (const key of keys) {
    if (left < 0) return left;
    const member = memberAt(key);
    if (!isList && member === undefined) continue;
    const name = isList ? '' : `${stringText(String(key), left)}:`;
    left = printText(`${separator}${name}`, left, parts);
    if (left >= 0) left = print(member, left, parts);
    separator = ',';
  }
  return left < 0 ? left : printText(isList ? ']' : '}', left, parts);
}

function printText(text: string, room: number, parts: string[]): number {
  parts.push(text.length > room ? head(text, Math.max(room, 0)) : text);
  return room - text.length;
}

/** The string in JSON; one unit more than there is room for, so that the cut shows. */
function stringText(text: string, room: number): string {
  return escapeHtml(JSON.stringify(text.length > room ? text.slice(0, room + 1) : text));
}

function scalarText(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : escapeHtml(JSON.stringify(value) ?? 'null');
}

/** Go's encoder writes these so that JSON can stand inside HTML. */
function escapeHtml(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !('toJSON' in value && typeof value.toJSON === 'function');
}
