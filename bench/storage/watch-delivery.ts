/** Events a second that a watch delivers: live while writers write, and catching up on a past. */

import { join } from 'node:path';
import { createMemoryEngine, type StorageEngine } from '@listwatch/storage';
import { openLmdbEngine } from '@listwatch/storage-lmdb';
import { type Measured, median, once, report } from './measure.ts';
import { fill, inScratch, keyOf, VALUE_BYTES, valueOf } from './scratch.ts';

const EVENTS = 50_000;
const WATCHERS = 50;
const ROUNDS = 5;

/** Runs both kinds on both embedded engines. */
export async function benchWatchDelivery(): Promise<void> {
  for (const name of ['memory', 'lmdb'] as const) {
    await inScratch(async (folder) => {
      const engine = name === 'memory' ? createMemoryEngine() : await openLmdbEngine({ path: join(folder, 'store') });
      const facts = { bench: 'watch-delivery', engine: name, valueBytes: VALUE_BYTES };
      const start = await engine.revision();
      await fill(engine, EVENTS);
      const created = await engine.revision();
      report({ ...facts, kind: 'catch-up on creates', ...(await rounds(() => catchUp(engine, start, created))) });
      for (let i = 0; i < EVENTS; i += 500) {
        const updates = Array.from({ length: 500 }, (_, j) => {
          return engine.commit({ type: 'put', key: keyOf(i + j), value: valueOf(i + j) });
        });
        await Promise.all(updates);
      }
      const updated = await engine.revision();
      report({ ...facts, kind: 'catch-up on updates', ...(await rounds(() => catchUp(engine, created, updated))) });
      report({ ...facts, kind: `live, ${WATCHERS} watchers`, ...(await rounds(() => live(engine))) });
      await engine.close();
    });
  }
}

async function rounds(run: () => Promise<Measured>): Promise<Measured> {
  const results: Measured[] = [];
  for (let round = 0; round < ROUNDS; round += 1) results.push(await run());
  return median(results);
}

async function consume(engine: StorageEngine, after: bigint, until: bigint): Promise<number> {
  let events = 0;
  for await (const batch of engine.watch('/registry/', { after })) {
    events += batch.events.length;
    if (batch.revision >= until) break;
  }
  return events;
}

function catchUp(engine: StorageEngine, after: bigint, until: bigint): Promise<Measured> {
  return once(Number(until - after), () => consume(engine, after, until));
}

/** Deliveries a second over all watchers, writing included. */
async function live(engine: StorageEngine): Promise<Measured> {
  const writes = 5000;
  const after = await engine.revision();
  return once(writes * WATCHERS, async () => {
    const until = after + BigInt(writes);
    const watchers = Array.from({ length: WATCHERS }, () => consume(engine, after, until));
    for (let i = 0; i < writes; i += 250) {
      await Promise.all(
        Array.from({ length: 250 }, (_, j) => engine.commit({ type: 'put', key: keyOf(i + j), value: valueOf(i) })),
      );
    }
    const counts = await Promise.all(watchers);
    if (counts.some((count) => count !== writes)) throw new Error('a watcher missed something');
  });
}
