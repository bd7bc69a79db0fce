/** Finds the metadata of an object in its bytes, without parsing them. */

import { endOfObject } from '../stored/json-scan.ts';

const METADATA = Buffer.from('"metadata":{');

/** The JSON of `metadata`, braces included, as a view of the bytes. The layout puts it in front. */
export function metadataSlice(bytes: Buffer): Buffer {
  const start = bytes.indexOf(METADATA) + METADATA.length - 1;
  return bytes.subarray(start, endOfObject(bytes, start));
}
