/** An object of the upstream as it came: its bytes, and the metadata that a feed goes by. */

import type { ApiObject } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import { memberRange } from '@listwatch/server/read';
import type { RelayedKind } from '../kinds/relayed-kind.ts';

/** The bytes are served as they are. */
export interface FeedObject extends ApiObject {
  readonly bytes: Buffer;
}

const OPEN_BRACE = 0x7b;

/**
 * Makes objects from the bytes of a list or a watch. A list leaves out `kind` and `apiVersion`, a watch has them in front: both
 * are then the same bytes. Throws for an object in another layout, which could not be shown in a list as the upstream shows it.
 */
export function feedDecoder({ layout, custom }: RelayedKind): (json: Uint8Array) => FeedObject {
  if (custom !== undefined) return customDecoder(layout);
  const head = Buffer.from(
    `{"kind":${JSON.stringify(layout.type.kind)},"apiVersion":${JSON.stringify(layout.type.apiVersion)},`,
  );
  return (json) => {
    const start = json.indexOf(OPEN_BRACE);
    const bytes = layout.fits(json) ? Buffer.from(json) : Buffer.concat([head, json.subarray(start + 1)]);
    const parsed: unknown = JSON.parse(layout.metadata(bytes).toString('utf8'));
    if (!layout.fits(json) && !beginsWithMetadata(json)) {
      throw new SyntaxError(`an object of ${layout.type.kind} does not begin as kube-apiserver writes it`);
    }
    return feedObject(parsed, bytes);
  };
}

/** Objects of custom kinds have their types in lists too: the bytes are the same everywhere. */
function customDecoder(layout: RelayedKind['layout']): (json: Uint8Array) => FeedObject {
  const members = Object.entries(layout.type).map(
    ([name, value]) => [name, Buffer.from(JSON.stringify(value))] as const,
  );
  return (json) => {
    const bytes = Buffer.from(json);
    for (const [name, value] of members) {
      const found = memberRange(bytes, 0, name);
      if (found === undefined || !bytes.subarray(found.start, found.end).equals(value))
        throw new SyntaxError(`an object of ${layout.type.kind} has another ${name}`);
    }
    return feedObject(JSON.parse(layout.metadata(bytes).toString('utf8')), bytes);
  };
}

function feedObject(metadata: unknown, bytes: Buffer): FeedObject {
  if (!isRecord(metadata)) throw new SyntaxError('an object has no metadata');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the client checks the metadata of what is decoded
  return { metadata, bytes } as unknown as FeedObject;
}

/** As the items of a list begin, from which the type is left out. */
function beginsWithMetadata(json: Uint8Array): boolean {
  return Buffer.from(json.buffer, json.byteOffset, Math.min(json.byteLength, 12)).toString('latin1') === '{"metadata":';
}
