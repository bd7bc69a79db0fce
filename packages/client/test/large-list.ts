/**
 * Decodes a list of more than 512 MB that never exists as a whole, keeps a piece of each item, and prints what it took.
 * Run by a test in a process of its own whose heap is small: whoever keeps bytes or texts does not come to the end.
 */

import { resource } from '@listwatch/api';
import { objectDecoder } from '../src/json/object-decoder.ts';
import { ListDecoder } from '../src/list/list-decoder.ts';

const ITEMS = 40_000;
const ITEM_BYTES = 16 * 1024;
const CHUNK_BYTES = 64 * 1024 + 13;
/** Long enough that V8 would rather cut such a name out of the text, and keep the text, than copy it. */
const NAME = 'an-object-with-a-rather-long-name-';

/** The bytes of the list in chunks, all of them in the same memory, as a transport may do. */
function* chunks(): Generator<Uint8Array, undefined> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  const encoder = new TextEncoder();
  const padding = 'x'.repeat(ITEM_BYTES);
  let used = 0;
  const parts = function* (): Generator<string, undefined> {
    yield '{"kind":"ConfigMapList","apiVersion":"v1","items":[';
    for (let i = 0; i < ITEMS; i += 1) {
      yield `${i === 0 ? '' : ','}{"metadata":{"name":"${NAME}${i}"},"data":{"padding":"${padding}"}}`;
    }
    yield '],"metadata":{"resourceVersion":"9"}}';
  };
  for (const part of parts()) {
    const bytes = encoder.encode(part);
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + CHUNK_BYTES - used);
      chunk.set(piece, used);
      used += piece.length;
      from += piece.length;
      if (used === CHUNK_BYTES) {
        yield chunk;
        used = 0;
      }
    }
  }
  yield chunk.subarray(0, used);
}

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const decoder = new ListDecoder(objectDecoder(configMaps, {}), 64 * 1024 * 1024);
const names: string[] = [];
let bytes = 0;
let peak = 0;
const before = process.memoryUsage().rss;
for (const chunk of chunks()) {
  bytes += chunk.length;
  decoder.push(chunk);
  for (let items = decoder.take(); items.length > 0; items = decoder.take()) {
    for (const { metadata } of items) names.push(metadata.name);
  }
  peak = Math.max(peak, process.memoryUsage.rss() - before);
}
decoder.end();
const { resourceVersion } = decoder.metadata;
process.stdout.write(JSON.stringify({ bytes, peak, names: names.length, last: names.at(-1), resourceVersion }));
