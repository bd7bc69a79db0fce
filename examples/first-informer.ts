/**
 * Keeps the pods with the label app=web in memory, indexed by node, and tells of every change.
 *
 * Run it against any cluster; end it with Ctrl-C:
 *
 *     npm run -s example examples/first-informer.ts
 */

import { connect } from '@listwatch/client';
import { pods } from '@listwatch/kinds';
import { informer } from '@listwatch/runtime';

await using cluster = await connect();
await using web = informer(cluster, pods, {
  labelSelector: 'app=web',
  indexes: { node: (pod) => [pod.spec.nodeName ?? '(no node)'] },
});
process.once('SIGINT', () => void web.close());

// Rejects when it cannot be had: no such resource, not allowed, nobody there.
await web.synced;
console.log(`${web.store.size} pods`);
for (const node of web.store.indexValues('node').toSorted()) {
  console.log(`on ${node}: ${web.store.keysByIndex('node', node).join(', ')}`);
}

// What is in the store now comes first, as adds with `initial`; then every change. It ends when the informer is closed.
for await (const change of web.changes()) {
  if (change.initial) continue;
  const phase = change.object.status.phase ?? 'unknown';
  switch (change.type) {
    case 'add':
      console.log(`+ ${change.key} (${phase})`);
      break;
    case 'update':
      console.log(`~ ${change.key} (${change.old.status.phase ?? 'unknown'} -> ${phase})`);
      break;
    case 'delete':
      console.log(`- ${change.key}${change.finalStateKnown ? '' : ', unseen'}`);
      break;
  }
}
console.log(`ended with ${web.store.size} pods`);
