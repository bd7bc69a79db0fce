/** Finds where the frames of a watch begin and end, however the bytes are cut into chunks. */

/** A piece of a watch's body. */
export interface FramePiece {
  readonly bytes: Uint8Array;
  /** `frame`: one whole JSON document; `rest`: the end of one whose beginning has gone out, or white space behind one. */
  readonly type: 'frame' | 'rest';
}

const NEW_LINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const SPACE: ReadonlySet<number> = new Set([0x09, NEW_LINE, 0x0d, 0x20]);

/**
 * Follows the nesting of the JSON: line ends would not do, because an indented frame has many. It always follows, also
 * while bytes pass untouched, so that a fault can begin in the middle of a stream without taking half a frame for one.
 */
export class FrameSplitter {
  /** The beginning of a frame that is not whole yet. A copy: the chunk it came in is not ours any more. */
  #kept: Uint8Array[] = [];
  /** Has the beginning of the current frame gone out already? */
  #leaked = false;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /** Is everything that has gone out whole frames? */
  get wholeSoFar(): boolean {
    return !this.#leaked;
  }

  /** Follows a chunk that passes as it is. What was kept goes out before it. */
  pass(chunk: Uint8Array): readonly Uint8Array[] {
    const out = [...this.#kept, chunk];
    this.#kept = [];
    let at = 0;
    while (at < chunk.length) at = this.#scan(chunk, at);
    this.#leaked = this.#depth > 0;
    return out;
  }

  /** Follows a chunk and cuts it up; keeps the beginning of a frame that is not whole. */
  split(chunk: Uint8Array): readonly FramePiece[] {
    const pieces: FramePiece[] = [];
    let from = 0;
    while (from < chunk.length) {
      const blank = this.#depth === 0 && this.#kept.length === 0 ? spaceEnd(chunk, from) : from;
      if (blank > from) {
        pieces.push({ type: 'rest', bytes: chunk.subarray(from, blank) });
        from = blank;
        continue;
      }
      const end = this.#scan(chunk, from);
      const bytes = chunk.subarray(from, end);
      if (this.#depth > 0) {
        if (this.#leaked) pieces.push({ type: 'rest', bytes });
        // Not `slice`: that of a Buffer is no copy.
        else this.#kept.push(new Uint8Array(bytes));
      } else {
        pieces.push(this.#leaked ? { type: 'rest', bytes } : { type: 'frame', bytes: join([...this.#kept, bytes]) });
        this.#kept = [];
        this.#leaked = false;
      }
      from = end;
    }
    return pieces;
  }

  /** What was kept of a frame that will never be whole. */
  flush(): readonly Uint8Array[] {
    const kept = this.#kept;
    this.#kept = [];
    this.#leaked = this.#depth > 0;
    return kept;
  }

  /** Reads on from `from`; the place after the end of the current document and its line end, or the end of the chunk. */
  #scan(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inString = false;
      } else if (byte === QUOTE) this.#inString = true;
      else if (OPENING.has(byte)) this.#depth += 1;
      else if (CLOSING.has(byte) && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth === 0) return chunk[at + 1] === NEW_LINE ? at + 2 : at + 1;
      }
    }
    return chunk.length;
  }
}

function spaceEnd(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && SPACE.has(chunk[at] ?? 0)) at += 1;
  return at;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
}
