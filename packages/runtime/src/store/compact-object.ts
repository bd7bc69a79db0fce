/** An object that is kept as the bytes of its JSON. */

import type { ApiObject, ObjectMeta } from '@listwatch/api';
import { asciiText } from './ascii-text.ts';
import type { ShelfSlot } from './byte-shelf.ts';
import { objectKey } from './object-key.ts';

/** The key of an object. A compact one has it ready. */
export function keyOf(object: ApiObject): string {
  return object instanceof CompactObject ? object.key : objectKey(object);
}

const NO_BOARD = new Uint8Array(0);
const QUOTE = 0x22;

/** Where an object's bytes are, and what a store compares. There is one for each object in a cache, so every field counts. */
export class CompactObject implements ApiObject, ShelfSlot {
  board: Uint8Array = NO_BOARD;
  offset = 0;
  readonly length: number;
  /** `namespace/name`, or `name`; the same string as the key of the store's map. */
  readonly key: string;
  readonly resourceVersion: string | undefined;
  /**
   * Where the text of its uid begins, counted from `offset`; 0 when it has none. The text itself, which is here only when it
   * does not stand in the bytes as it is, would take as much memory as all other fields.
   */
  readonly uidAt: number | string;

  constructor(key: string, resourceVersion: string | undefined, length: number, uidAt: number | string) {
    this.key = key;
    this.resourceVersion = resourceVersion;
    this.length = length;
    this.uidAt = uidAt;
  }

  get uid(): string | undefined {
    if (typeof this.uidAt === 'string') return this.uidAt;
    if (this.uidAt === 0) return undefined;
    const from = this.offset + this.uidAt;
    return asciiText(this.board, from, this.board.indexOf(QUOTE, from));
  }

  get namespace(): string | undefined {
    const slash = this.key.indexOf('/');
    return slash < 0 ? undefined : this.key.slice(0, slash);
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  /** Parses the object. */
  get generation(): number | undefined {
    return parsedMetadata(this).generation;
  }

  /** Parses the object. */
  get managedFields(): ObjectMeta['managedFields'] {
    return parsedMetadata(this).managedFields;
  }

  /** The object itself, for an object of its own would cost as much as checking the JSON. It has what a cache looks at. */
  get metadata(): ObjectMeta {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a getter that gives undefined is as good as none
    return this as unknown as ObjectMeta;
  }
}

/** Not a private method: that would take a field of each object. */
function parsedMetadata({ board, offset, length }: CompactObject): ObjectMeta {
  const { metadata }: ApiObject = JSON.parse(new TextDecoder().decode(board.subarray(offset, offset + length)));
  return metadata;
}
