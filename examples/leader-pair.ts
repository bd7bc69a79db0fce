/**
 * A program that runs twice and works once: two processes, one of which leads. End the leader and the other takes over.
 *
 *     npm run -s example examples/leader-pair.ts one          # in one terminal
 *     npm run -s example examples/leader-pair.ts two          # in another
 */

import { connect } from '@listwatch/client';
import { configMaps } from '@listwatch/kinds';
import { manager, untilSignal } from '@listwatch/runtime/manager';

const [identity = `candidate-${process.pid}`] = process.argv.slice(2);

await using cluster = await connect();
const pair = manager(cluster, {
  leaderElection: { lease: { namespace: 'default', name: 'pair' }, identity },
  health: false,
});
pair.add({
  name: 'pair',
  for: configMaps,
  reconcile: ({ key }) => console.log(`${identity} reconciles ${key.toString()}`),
});
console.log(`${identity} waits for the lease`);
await pair.run({ signal: untilSignal() }); // rejects when the lease is lost: let the process end, and be started again
console.log(`${identity} has stopped`);
