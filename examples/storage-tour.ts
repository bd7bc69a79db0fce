/**
 * A tour of the storage engine, on the memory engine: revisions, conflicts, the past, a watch, compaction.
 *
 * Run it with `npm start`. Put `openLmdbEngine({ path: './data' })` or `createEtcdEngine({ endpoints: [...] })` in place
 * of `createMemoryEngine(...)` and the same lines are printed: the three engines keep one contract.
 */

import { createMemoryEngine, isStorageError, requireCommitted, type StorageEngine } from '@listwatch/storage';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

// Begins at 1 as the other engines do; by default a memory store begins at a number made from the time.
await using engine: StorageEngine = createMemoryEngine({ firstRevision: 1n });
const key = '/registry/configmaps/default/hello';

console.log('1. Each commit is a revision of the whole store.');
const created = requireCommitted(await engine.commit({ type: 'put', key, value: encode('a=1'), expected: 0n }), key);
const updated = requireCommitted(
  await engine.commit({ type: 'put', key, value: encode('a=2'), expected: created }),
  key,
);
console.log(`   created at ${created}, updated at ${updated}`);

console.log('2. A writer with a stale revision is refused and shown what is there.');
const stale = await engine.commit({ type: 'put', key, value: encode('a=9'), expected: created });
if (!stale.committed)
  console.log(`   ${stale.reason}: "${decode(stale.current?.value)}" at ${stale.current?.modRevision}`);

console.log('3. The past can be read.');
const { entry } = await engine.get(key, { at: created });
console.log(`   at revision ${created} it was "${decode(entry?.value)}"`);

console.log('4. A watch begins at any kept revision and goes on live.');
await engine.commit({ type: 'delete', key });
const last = await engine.revision();
for await (const batch of engine.watch('/registry/configmaps/', { after: created - 1n })) {
  for (const event of batch.events) {
    const was = event.previous === undefined ? 'new' : `was "${decode(event.previous.value)}"`;
    console.log(`   ${event.revision} ${event.type} ${event.key} (${was})`);
  }
  if (batch.revision >= last) break;
}

console.log('5. Compaction forgets, and says so.');
await engine.compact(last);
try {
  await engine.get(key, { at: created });
} catch (error) {
  if (!isStorageError(error)) throw error;
  console.log(`   ${error.code}: ${error.message}`);
}

console.log('\nThis is the ground floor. `npm test` proves it on memory, LMDB and a real etcd.');
