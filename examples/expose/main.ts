/**
 * Runs the controller `expose` against the cluster of your kubeconfig, until Ctrl-C.
 *
 *     npm run -s example examples/expose/main.ts          # PORT=8080
 */

import { connect } from '@listwatch/client';
import { manager, untilSignal } from '@listwatch/runtime/manager';
import { expose } from './expose.ts';

await using cluster = await connect();
const program = manager(cluster, { health: { port: Number(process.env['PORT'] ?? 8080) } });
program.add(
  expose({
    set: (name, address) => console.log(`route ${name} -> ${address}`),
    remove: (name) => console.log(`no route to ${name}`),
  }),
);
await program.run({ signal: untilSignal() });
