/** The storage benches: `npm run bench`, or `npm run bench -- lmdb-commit range` for some of them. */

import { machine } from '../server/machine.ts';
import { benchEtcdCommit } from './etcd-commit.ts';
import { benchLmdbCommit } from './lmdb-commit.ts';
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
machine();
for (const [name, bench] of benches) if (wanted.length === 0 || wanted.includes(name)) await bench();
