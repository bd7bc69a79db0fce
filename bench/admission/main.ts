/**
 * What webhooks cost a write that they are not about: `npm run bench:admission`. The CPU time of a create in the process, with and without
 * 200 webhooks, 100 of each type; then two look-ups alone, which are all that webhooks with other rules or for other objects add. Prints JSON lines.
 */

import { builtInKind } from '@listwatch/rules/internal';
import { type ApiServer, createApiServer } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { BUILT_IN_KINDS } from '../../packages/rules/src/strategy/built-in-kinds.ts';
import type { RequestHead } from '../../packages/server/src/contract/dynamic-admission.ts';
import { equivalentKinds } from '../../packages/server/src/write/admission/dynamic/rule-match.ts';
import { WebhookIndex } from '../../packages/server/src/write/admission/webhooks/webhook-index.ts';
import { machine } from '../server/machine.ts';
import { digits, middle } from '../server/result.ts';
import { report } from '../storage/measure.ts';

/** Of each type. */
const HOOKS = 100;
const HOOKS_EACH = 4;
const ROUNDS = 40;
const CREATES = 400;
const LOOKUPS = 200_000;
const GOAL_MICROS = 2;

const LABELS = { tenant: 'other' };
const OTHER_RULES = [{ apiGroups: ['apps'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }];
const OWN_RULES = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] }];
/** Why a webhook is not called, by its place among those of its type; undefined: there are none. */
const REASONS: Readonly<Record<string, ((place: number) => object) | undefined>> = {
  'no webhooks': undefined,
  'no webhooks, once more': undefined,
  'other rules': () => ({ rules: OTHER_RULES }),
  'other namespaces': () => ({ rules: OWN_RULES, namespaceSelector: { matchLabels: { watched: 'yes' } } }),
  'other labels': () => ({ rules: OWN_RULES, objectSelector: { matchLabels: { watched: 'yes' } } }),
  'other values of its label': (place) => ({
    rules: OWN_RULES,
    objectSelector: { matchLabels: { tenant: `t-${place}` } },
  }),
};

function webhooksOf(configuration: number, more: (place: number) => object): readonly object[] {
  return Array.from({ length: HOOKS_EACH }, (_, number) => ({
    name: `h${number}.c${configuration}.example.com`,
    clientConfig: { url: 'https://127.0.0.1:1/never' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more(configuration * HOOKS_EACH + number),
  }));
}

async function ask(server: ApiServer, path: string, body: object): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const request = { method: 'POST', path, headers: { 'content-type': 'application/json' }, body: bytes };
  const response = await server.handle(request, { user: { name: 'bench', groups: ['system:masters'] } });
  const parts: Uint8Array[] = [];
  for await (const part of response.body) parts.push(Buffer.from(part));
  if (response.status !== 201) throw new Error(`${path}: ${Buffer.concat(parts).toString()}`);
}

async function serverWith(more: ((place: number) => object) | undefined): Promise<ApiServer> {
  const server = createApiServer({ engine: createMemoryEngine() });
  await server.start();
  if (more === undefined) return server;
  for (let index = 0; index < HOOKS / HOOKS_EACH; index += 1) {
    for (const type of ['mutating', 'validating']) {
      const path = `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`;
      await ask(server, path, { metadata: { name: `c${index}` }, webhooks: webhooksOf(index, more) });
    }
  }
  return server;
}

/** Microseconds of CPU time of one create. */
async function createMicros(server: ApiServer): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CREATES; index += 1) {
    await ask(server, '/api/v1/namespaces/default/configmaps?dryRun=All', {
      metadata: { name: 'a', labels: LABELS },
      data: { k: 'v' },
    });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CREATES;
}

async function measureCreates(): Promise<void> {
  const servers = new Map<string, ApiServer>();
  for (const [name, more] of Object.entries(REASONS)) servers.set(name, await serverWith(more));
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turn, so that what else the machine does spoils all of them alike; the first rounds compile.
    for (const [name, server] of servers) {
      const micros = await createMicros(server);
      if (round >= ROUNDS / 4) times.set(name, [...(times.get(name) ?? []), micros]);
    }
  }
  const without = Math.min(...(times.get('no webhooks') ?? []));
  for (const [name, micros] of times) {
    const least = Math.min(...micros);
    const webhooks = REASONS[name] === undefined ? 0 : HOOKS * 2;
    const facts = { webhooks, leastMicros: digits(least), middleMicros: digits(middle(micros)) };
    report({
      bench: `a create: ${name}`,
      ...facts,
      moreMicros: Number((least - without).toFixed(1)),
      goalMicros: GOAL_MICROS,
    });
  }
  for (const server of servers.values()) await server.close();
}

function indexOf(type: 'mutating' | 'validating', more: (place: number) => object): WebhookIndex {
  const index = new WebhookIndex(
    type,
    equivalentKinds(() => BUILT_IN_KINDS),
  );
  for (let i = 0; i < HOOKS / HOOKS_EACH; i += 1) index.set(`c${i}`, { webhooks: webhooksOf(i, more) });
  return index;
}

function measureLookups(reason: string, more: (place: number) => object): void {
  const indexes = [indexOf('mutating', more), indexOf('validating', more)];
  const objects = {
    object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: LABELS } },
    old: undefined,
  };
  const definition = builtInKind('core/v1.ConfigMap');
  let matched = 0;
  const micros: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const started = performance.now();
    for (let write = 0; write < LOOKUPS; write += 1) {
      for (const index of indexes) {
        const head: RequestHead = { operation: 'CREATE', definition, subresource: '', namespace: `n${write % 100}` };
        const found = index.within(index.matching(head), () => undefined);
        if (found.length > 0 && index.areTaken(found, objects)) matched += found.length;
      }
    }
    micros.push(((performance.now() - started) * 1000) / LOOKUPS);
  }
  report({
    bench: `two look-ups: ${reason}`,
    webhooks: HOOKS * 2,
    matched,
    micros: digits(middle(micros)),
    goalMicros: GOAL_MICROS,
  });
}

machine();
await measureCreates();
for (const reason of ['other rules', 'other labels', 'other values of its label']) {
  const more = REASONS[reason];
  if (more !== undefined) measureLookups(reason, more);
}
