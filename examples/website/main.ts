/**
 * Installs the CRD and runs the website operator against the cluster of your kubeconfig, until Ctrl-C.
 *
 *     npm run -s example examples/website/main.ts          # PORT=8080
 */

import { applyYaml, connect } from '@listwatch/client';
import { customResourceDefinitions } from '@listwatch/kinds';
import { conditionIs, waitFor } from '@listwatch/runtime';
import { manager, untilSignal } from '@listwatch/runtime/manager';
import { websiteOperator } from './operator.ts';
import { website } from './website.ts';

await using cluster = await connect();
await applyYaml(cluster, website.crd);
await waitFor(cluster, customResourceDefinitions, website.crd.metadata, conditionIs('Established'));

const program = manager(cluster, { health: { port: Number(process.env['PORT'] ?? 8080) } });
program.add(
  websiteOperator({
    set: (host, address) => console.log(`${host} -> ${address}`),
    remove: (host) => console.log(`no ${host}`),
  }),
);
await program.run({ signal: untilSignal() });
