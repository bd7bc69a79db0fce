import { applyYaml, connect } from '@listwatch/client';
import { customResourceDefinitions } from '@listwatch/kinds';
import { conditionIs, waitFor } from '@listwatch/runtime';
import { manager, untilSignal } from '@listwatch/runtime/manager';
import { serveWebhooks } from '@listwatch/runtime/webhook';
import { websiteOperator } from './operator.ts';
import { LEASE, NAME, SERVICE } from './settings.ts';
import { websiteWebhooks } from './webhooks.ts';
import { website } from './website.ts';

await using cluster = await connect(); // KUBECONFIG, or the service account of the pod
const inPod = process.env['KUBERNETES_SERVICE_HOST'] !== undefined;
if (!inPod) {
  // In a cluster the CRD is in the manifests. During development it is installed here.
  await applyYaml(cluster, website.crd);
  await waitFor(cluster, customResourceDefinitions, website.crd.metadata, conditionIs('Established'));
  console.log('websites are served');
}
const program = manager(
  cluster,
  inPod ? { leaderElection: { lease: LEASE }, health: { port: 8080 } } : { health: false },
);
program.add(websiteOperator);
if (inPod) serveWebhooks(program, websiteWebhooks(), { name: NAME, service: SERVICE });
await program.run({ signal: untilSignal() });
