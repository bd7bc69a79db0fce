/**
 * What it costs to decode a list as it arrives, beside `JSON.parse` of the whole body: 5 000 ConfigMaps of 1.6 KB in chunks
 * of 64 KiB. Turn by turn in one run; the CPU of this process; the quietest of the rounds and the middle one.
 *
 *     node --conditions=@listwatch/source --import tsx bench/client/decode.ts
 */

import { resource } from '@listwatch/api';
import type { ObjectDecoder } from '../../packages/client/src/cluster.ts';
import { objectDecoder } from '../../packages/client/src/json/object-decoder.ts';
import { ValueScanner } from '../../packages/client/src/json/value-scanner.ts';
import { ListDecoder } from '../../packages/client/src/list/list-decoder.ts';
import { digits, middle } from '../server/result.ts';
import { report } from '../storage/measure.ts';
import { largeList } from './large-list.ts';

const ROUNDS = 31;
const CHUNK_BYTES = 64 * 1024;

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });

/** The result of each is kept for the next round, as a cache would keep it: freeing it belongs to the cost. */
type Work = (body: Uint8Array, chunks: readonly Uint8Array[]) => unknown;

const works: Readonly<Record<string, Work>> = {
  'JSON.parse of the whole': (body) => JSON.parse(new TextDecoder().decode(body)),
  'item by item': (_, chunks) => {
    const items: unknown[] = [];
    decode(chunks, objectDecoder(configMaps, {}), (item) => items.push(item));
    return items;
  },
  'item by item, bytes kept': (_, chunks) => {
    const items: unknown[] = [];
    decode(chunks, { one: (json) => json.slice() }, (item) => items.push(item));
    return items;
  },
  'boundaries of items only': (_, chunks) => {
    let bytes = 0;
    decode(chunks, { one: (json) => json.length }, (length) => {
      bytes += length;
    });
    return bytes;
  },
  'scanner alone': (body) => new ValueScanner().scan(body, 0),
};

function decode<T>(chunks: readonly Uint8Array[], decoder: ObjectDecoder<T>, take: (item: T) => unknown): void {
  const list = new ListDecoder(decoder, 64 * 1024 * 1024);
  for (const chunk of chunks) {
    list.push(chunk);
    for (let items = list.take(); items.length > 0; items = list.take()) items.forEach(take);
  }
  list.end();
}

for (const content of ['text', 'JSON in JSON'] as const) {
  const body = largeList({ items: 5000, itemBytes: 1600, content });
  const chunks: Uint8Array[] = [];
  for (let from = 0; from < body.length; from += CHUNK_BYTES) chunks.push(body.slice(from, from + CHUNK_BYTES));
  const costs = new Map(Object.keys(works).map((name) => [name, [] as number[]]));
  const kept = new Map<string, unknown>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(works)) {
      const before = process.cpuUsage();
      kept.set(name, work(body, chunks));
      const { user, system } = process.cpuUsage(before);
      costs.get(name)?.push((user + system) / 1000);
    }
  }
  for (const [name, ms] of costs) {
    const facts = { bench: 'decode', content, megabytes: digits(body.length / 1e6), what: name };
    report({ ...facts, cpuMs: digits(middle(ms)), quietestMs: digits(Math.min(...ms)) });
  }
}
