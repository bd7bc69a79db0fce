/** A process that serves webhooks by its own server, and by a server of Node as authors mount them. Its parent forks it. */

import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { webhookListener, webhooks } from '@listwatch/runtime/webhook';
import { newServingPair } from '../src/webhook/certificate/serving-pair.ts';
import { WebhookServer } from '../src/webhook/webhook-server.ts';
import { webhookSetOf } from '../src/webhook/webhook-set.ts';
import { backups, recordingLogger } from './webhook-reviews.ts';

process.on('disconnect', () => process.exit(0));

const { logger } = recordingLogger();
/**
 * The answer is as long as the object says. A handler that waits may go on in the check phase of the loop: there an answer is written
 * whose end TLS reports a round later.
 */
const hooks = webhooks({ logger }).mutate(backups, async (draft) => {
  await setImmediate();
  draft.spec.paths = ['x'.repeat(draft.spec.retention ?? 0)];
});
const names = { dnsNames: [], ipAddresses: ['127.0.0.1'] };
const pair = newServingPair('backup', names, { now: Date.now(), lifetimeMs: 3_600_000 });

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port;
}

const own = new WebhookServer(webhookSetOf(hooks).calls);
own.use(pair);
await own.listen('127.0.0.1', 0);
const mounted = createServer({ cert: pair.cert, key: pair.key }, webhookListener(hooks));

process.send?.({
  ca: pair.ca,
  ports: { 'the server of the manager': own.port, 'a server of the author': await portOf(mounted) },
});
