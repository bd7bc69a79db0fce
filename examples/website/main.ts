/**
 * Installs the CRD and runs the website operator against the cluster of your kubeconfig, until Ctrl-C.
 *
 *     npm run -s example examples/website/main.ts          # PORT=8080, RECORD_RIGHTS=rights.json for listwatch rbac
 *
 * With WEBHOOK_URL=https://127.0.0.1:9443, or another address at which the API server reaches this process, it serves its webhooks, too.
 */

import { applyYaml, connect } from '@listwatch/client';
import { customResourceDefinitions } from '@listwatch/kinds';
import { conditionIs, waitFor } from '@listwatch/runtime';
import { manager, untilSignal } from '@listwatch/runtime/manager';
import { serveWebhooks, webhookManifests } from '@listwatch/runtime/webhook';
import { websiteOperator } from './operator.ts';
import { websiteWebhooks } from './webhooks.ts';
import { website } from './website.ts';

await using cluster = await connect();
await applyYaml(cluster, website.crd);
await waitFor(cluster, customResourceDefinitions, website.crd.metadata, conditionIs('Established'));

const program = manager(cluster, {
  health: { port: Number(process.env['PORT'] ?? 8080) },
  recordRights: process.env['RECORD_RIGHTS'],
});
program.add(
  websiteOperator({
    set: (host, address) => console.log(`${host} -> ${address}`),
    remove: (host) => console.log(`no ${host}`),
  }),
);
const url = process.env['WEBHOOK_URL'];
if (url !== undefined) {
  const hooks = websiteWebhooks();
  serveWebhooks(program, hooks, { name: 'website', url, port: Number(new URL(url).port || 443) });
  await applyYaml(cluster, webhookManifests(hooks, { name: 'website', url }));
}
await program.run({ signal: untilSignal() });
