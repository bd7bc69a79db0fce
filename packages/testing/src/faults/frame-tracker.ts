/** Finds where the frames of a watch begin and end, with the client's own scanner, while the bytes pass or are cut up. */

import { ValueScanner } from '@listwatch/client/internal';

/** A piece of a watch's body. */
export interface FramePiece {
  readonly bytes: Uint8Array;
  /** `frame`: one whole JSON document; `rest`: the end of one whose beginning has gone out, or white space behind one. */
  readonly type: 'frame' | 'rest';
}

const NEW_LINE = 0x0a;
const SPACE: ReadonlySet<number> = new Set([0x09, NEW_LINE, 0x0d, 0x20]);

/** It also follows while bytes pass untouched, so that a fault which begins in mid-stream does not take half a frame for one. */
export class FrameTracker {
  readonly #scanner = new ValueScanner();
  /** The beginning of a frame that is not whole yet. A copy: the chunk it came in is not ours any more. */
  #kept: Uint8Array[] = [];
  /** Has the beginning of the current frame gone out already? */
  #leaked = false;
  /** Has a frame begun that has not ended? */
  #isOpen = false;
  /** The bytes are no JSON: everything passes as it is. */
  #isLost = false;

  /** Is everything that has gone out whole frames? */
  get wholeSoFar(): boolean {
    return !this.#leaked;
  }

  /** Follows a chunk that passes as it is. What was kept goes out before it. */
  pass(chunk: Uint8Array): readonly Uint8Array[] {
    const out = [...this.#kept, chunk];
    this.#kept = [];
    let at = 0;
    while (at < chunk.length) at = this.#scan(chunk, this.#isOpen ? at : spaceEnd(chunk, at));
    this.#leaked = this.#isOpen;
    return out;
  }

  /** Follows a chunk and cuts it up; keeps the beginning of a frame that is not whole. */
  split(chunk: Uint8Array): readonly FramePiece[] {
    const pieces: FramePiece[] = [];
    let from = 0;
    while (from < chunk.length) {
      const blank = this.#isOpen ? from : spaceEnd(chunk, from);
      if (blank > from) {
        pieces.push({ type: 'rest', bytes: chunk.subarray(from, blank) });
        from = blank;
        continue;
      }
      const end = this.#scan(chunk, from);
      const bytes = chunk.subarray(from, end);
      if (this.#isLost) {
        pieces.push({ type: 'rest', bytes: join([...this.flush(), bytes]) });
      } else if (this.#isOpen) {
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
    this.#leaked = this.#isOpen;
    return kept;
  }

  /** Reads on from `from`; the place after the end of the current document and its line end, or the end of the chunk. */
  #scan(chunk: Uint8Array, from: number): number {
    if (from >= chunk.length || this.#isLost) return chunk.length;
    try {
      const end = this.#scanner.scan(chunk, from);
      this.#isOpen = end < 0;
      if (end < 0) return chunk.length;
      return chunk[end] === NEW_LINE ? end + 1 : end;
    } catch {
      this.#isLost = true;
      this.#isOpen = true;
      return chunk.length;
    }
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
