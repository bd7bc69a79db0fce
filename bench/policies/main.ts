/**
 * What admission policies cost: `npm run bench:policies`. The CPU time of a create without policies, with 100 of which none
 * concerns it, and with 100 of which five do; then the longest turns of the event loop while hostile policies are evaluated.
 */

import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { watchLoop } from '../loop-watch.ts';
import { HOSTILE_EXPRESSIONS, type HostileCase } from './hostile-expressions.ts';

const CREATES = 2_000;
const ROUNDS = 7;
const HOSTILE_WRITES = 3;
const USER = { name: 'bench', groups: ['system:masters'] };
const GROUP = '/apis/admissionregistration.k8s.io/v1';
const DATA = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key-${index}`, 'x'.repeat(60)]));

async function ask(server: ApiServer, path: string, body: object, expected: readonly number[] = [201]): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json' };
  const response = await server.handle({ method: 'POST', path, headers, body: bytes }, { user: USER });
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(Buffer.from(part));
  if (!expected.includes(response.status)) throw new Error(`${path}: ${Buffer.concat(parts).toString()}`);
}

async function addPolicy(
  server: ApiServer,
  name: string,
  resources: readonly string[],
  validations: object,
  namespace?: string,
): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources }];
  const only = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } };
  const spec = { matchConstraints: { resourceRules, ...(namespace === undefined ? {} : only) }, validations };
  await ask(server, `${GROUP}/validatingadmissionpolicies`, { metadata: { name }, spec });
  const binding = { policyName: name, validationActions: ['Deny'] };
  await ask(server, `${GROUP}/validatingadmissionpolicybindings`, { metadata: { name }, spec: binding });
}

const PLAIN = [
  { expression: 'object.metadata.name.size() < 60', message: 'the name is too long' },
  { expression: 'request.userInfo.username != "mallory" && has(object.data)' },
];
const LOOP = [
  ...PLAIN,
  {
    expression: 'object.data.all(k, object.data[k].size() < 1000)',
    messageExpression: '"too long in " + object.metadata.name',
  },
];

async function serverWith(matching: number, others: number, checks: object = PLAIN): Promise<ApiServer> {
  const server = createApiServer({ engine: createMemoryEngine() });
  await server.start();
  for (let index = 0; index < matching; index++) await addPolicy(server, `match-${index}`, ['configmaps'], checks);
  for (let index = 0; index < others; index++) await addPolicy(server, `other-${index}`, ['secrets', 'pods'], checks);
  return server;
}

let made = 0;

/** Microseconds of CPU time of one create. */
async function round(server: ApiServer): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CREATES; index++) {
    made += 1;
    const body = { metadata: { name: `c-${made}` }, data: DATA };
    await ask(server, '/api/v1/namespaces/default/configmaps?dryRun=All', body);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CREATES;
}

function middle(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const servers = {
  'no policies': await serverWith(0, 0),
  '100 policies, none matches': await serverWith(0, 100),
  '100 policies, 5 match': await serverWith(5, 95),
  '100 policies, 5 match and loop over 20 keys': await serverWith(5, 95, LOOP),
};
const times = new Map<string, number[]>();
for (let count = 0; count < ROUNDS; count++) {
  // In turn, so that what else the machine does spoils all of them alike.
  for (const [name, server] of Object.entries(servers)) {
    const spent = await round(server);
    if (count > 0) times.set(name, [...(times.get(name) ?? []), spent]);
  }
}
for (const [name, values] of times) {
  console.log(`${name}: ${middle(values).toFixed(1)} us a create (least ${Math.min(...values).toFixed(1)})`);
}
for (const server of Object.values(servers)) await server.close();

const hostile = createApiServer({ engine: createMemoryEngine() });
await hostile.start();

/** The longest turn of the event loop, in milliseconds, while a policy with this expression is evaluated. */
async function longestTurn(name: string, [expression, data]: HostileCase): Promise<number> {
  const namespace = name.toLowerCase();
  await ask(hostile, '/api/v1/namespaces', { metadata: { name: namespace } });
  await addPolicy(hostile, namespace, ['configmaps'], [{ expression }], namespace);
  const path = `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`;
  // Loads what the first evaluation needs.
  await ask(hostile, path, { metadata: { name: 'a' }, data }, [201, 422]);
  const watch = watchLoop();
  for (let index = 0; index < HOSTILE_WRITES; index++) {
    await ask(hostile, path, { metadata: { name: 'a' }, data }, [201, 422]);
  }
  return watch.stop();
}

const turns: (readonly [name: string, milliseconds: number])[] = [];
for (const [name, one] of Object.entries(HOSTILE_EXPRESSIONS)) turns.push([name, await longestTurn(name, one)]);
turns.sort(([, left], [, right]) => right - left);
const worst = turns.slice(0, 8).map(([name, milliseconds]) => `${name} ${milliseconds.toFixed(1)}`);
console.log(`${turns.length} hostile policies, the longest turns in ms (goal 25): ${worst.join(', ')}`);
await hostile.close();
