/** The storage benches: `npm run bench`, or `npm run bench -- lmdb-commit range` for some of them. */

import { cpus, release } from 'node:os';
import { benchEtcdCommit } from './etcd-commit.ts';
import { benchLmdbCommit } from './lmdb-commit.ts';
import { report } from './measure.ts';
import { benchRange } from './range.ts';
import { benchWatchDelivery } from './watch-delivery.ts';

const benches = new Map<string, () => Promise<void>>([
  ['lmdb-commit', benchLmdbCommit],
  ['range', benchRange],
  ['watch-delivery', benchWatchDelivery],
  ['etcd-commit', benchEtcdCommit],
]);

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (benches.has(name)) continue;
  console.error(`no bench is called ${name}; there are: ${[...benches.keys()].join(', ')}`);
  process.exit(2);
}
report({
  bench: 'machine',
  date: new Date().toISOString(),
  node: process.version,
  kernel: release(),
  cpus: cpus().length,
  cpu: cpus()[0]?.model,
});
for (const [name, bench] of benches) if (wanted.length === 0 || wanted.includes(name)) await bench();
