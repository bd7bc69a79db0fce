/**
 * What a decision of a webhook costs that is in its cache, with and without match conditions, and the memory of 8192 of them:
 * `npm run bench:webhook`. Prints JSON lines; times are the CPU time of the process.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { backgroundClock } from '@listwatch/api';
import { matchFilter } from '../../packages/server/src/access/webhook/match-conditions.ts';
import { WebhookAuthorizer } from '../../packages/server/src/access/webhook/webhook-authorizer.ts';
import type { AccessAttributes } from '../../packages/server/src/contract/authorization.ts';
import { machine } from '../server/machine.ts';
import { digits, middle } from '../server/result.ts';
import { report } from '../storage/measure.ts';

const ROUNDS = 7;
const DECISIONS = 20_000;
const KEPT = 8192;

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function question(name: string): AccessAttributes {
  const user = {
    name: 'system:serviceaccount:shop:robot',
    uid: '7',
    groups: ['system:serviceaccounts', 'system:authenticated'],
  };
  const target = {
    group: 'apps',
    version: 'v1',
    resource: 'deployments',
    subresource: '',
    namespace: 'shop',
    path: '',
  };
  return { user, verb: 'get', isResource: true, ...target, name };
}

async function measure(bench: string, url: string, conditions: readonly string[]): Promise<void> {
  const filter = conditions.length === 0 ? undefined : matchFilter(conditions);
  const authorizer = new WebhookAuthorizer(
    { name: 'w', url, failurePolicy: 'Deny', filter },
    { clock: backgroundClock },
  );
  const asked = question('one');
  await authorizer.authorize(asked);
  const micros: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = cpuMs();
    for (let index = 0; index < DECISIONS; index += 1) void authorizer.authorize(asked);
    micros.push(((cpuMs() - started) * 1000) / DECISIONS);
  }
  report({ bench, value: digits(middle(micros)), unit: 'us' });
  authorizer.close();
}

async function measureMemory(url: string): Promise<void> {
  const authorizer = new WebhookAuthorizer({ name: 'w', url, failurePolicy: 'Deny' }, { clock: backgroundClock });
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < KEPT; index += 64) {
    await Promise.all(
      Array.from({ length: 64 }, async (_, more) => authorizer.authorize(question(`d-${index + more}`))),
    );
  }
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed - before) / KEPT;
  report({ bench: 'bytes-of-a-kept-decision', value: digits(bytes), unit: 'bytes', kept: authorizer.state.cache.size });
  authorizer.close();
}

machine();
const server = createServer((request, response) => {
  request.resume();
  response.end(JSON.stringify({ status: { allowed: true, reason: 'by the policy' } }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
await measure('cached-decision', url, []);
await measure('cached-decision-2-conditions', url, [
  'has(request.resourceAttributes)',
  "request.resourceAttributes.namespace.startsWith('shop') || 'system:nodes' in request.groups",
]);
await measureMemory(url);
server.closeAllConnections();
server.close();
