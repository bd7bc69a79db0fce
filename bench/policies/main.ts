/**
 * What admission policies cost: `npm run bench:policies`. The CPU time of a create without policies, with 100 of which none
 * concerns it, and with 100 of which five do; then the longest turn of the event loop while a hostile policy is evaluated.
 */

import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { watchLoop } from '../loop-watch.ts';

const CREATES = 2_000;
const ROUNDS = 7;
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
): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources }];
  const spec = { matchConstraints: { resourceRules }, validations };
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
const triples = 'object.data.all(a, object.data.all(b, object.data.all(c, (a + b + c).size() > 0)))';
await addPolicy(hostile, 'hostile', ['configmaps'], [{ expression: triples }]);
const many = {
  metadata: { name: 'a' },
  data: Object.fromEntries(Array.from({ length: 120 }, (_, key) => [`k${key}`, 'v'])),
};
const path = '/api/v1/namespaces/default/configmaps?dryRun=All';
await ask(hostile, path, many, [422]);
const watch = watchLoop();
const started = process.cpuUsage();
for (let index = 0; index < 10; index++) await ask(hostile, path, many, [422]);
const longest = watch.stop();
console.log(
  `hostile policy: longest turn ${longest.toFixed(1)} ms; ` +
    `${(process.cpuUsage(started).user / 10_000).toFixed(0)} ms of CPU a request`,
);
await hostile.close();
