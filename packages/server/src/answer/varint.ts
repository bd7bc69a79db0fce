/**
 * Integers of protobuf in buffers: lengths of what is copied as it is. Forward and in place, which the `WireWriter` of packages/schema
 * cannot do: it writes a message from its end into a buffer of its own.
 */

/** How many bytes an integer takes. */
export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}

/** Writes the tag of a length-delimited field below 16 and its length; returns where it ends. */
export function putLength(buffer: Buffer, at: number, field: number, length: number): number {
  buffer[at] = field * 8 + 2;
  let to = at + 1;
  let rest = length;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    buffer[to] = (rest % 0x80) + 0x80;
    to += 1;
  }
  buffer[to] = rest;
  return to + 1;
}

/** What a length-delimited field below 16 takes. */
export function fieldSize(length: number): number {
  return 1 + varintSize(length) + length;
}
