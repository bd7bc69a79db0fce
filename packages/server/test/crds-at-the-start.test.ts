/** A server that was killed right after it took definitions serves them when it is ready again. */

import { createMemoryEngine, type StorageEngine, StorageError } from '@listwatch/storage';
import { expect, it } from 'vitest';
import { CRDS, CustomServer, pathOf, widgets } from '../src/crd/custom-server.fixture.ts';
import { SteeredEngine } from './steered-engine.fixture.ts';

const GROUPS = Array.from({ length: 40 }, (_, n) => `g${n}.start.example.com`);
const DEFINITIONS = '/registry/apiextensions.k8s.io/customresourcedefinitions/';

/** Leaves definitions in the store that were acknowledged, but not accepted. */
async function leaveDefinitions(store: StorageEngine): Promise<void> {
  const engine = new SteeredEngine(store);
  await using server = await CustomServer.start({ engine });
  const created = new Set<string>();
  engine.beforeCommits(DEFINITIONS, async (key) => {
    if (created.has(key)) throw new StorageError('UNAVAILABLE', 'the server is about to be killed');
    created.add(key);
  });
  for (const group of GROUPS) await server.ok('POST', CRDS, widgets(group));
}

it('every acknowledged definition is served when the server is ready', async () => {
  await using store = createMemoryEngine();
  await leaveDefinitions(store);
  await using server = await CustomServer.start({ engine: store });
  expect((await server.ask('GET', '/readyz')).status).toBe(200);
  const answers = await Promise.all(GROUPS.map((group) => server.ask('GET', pathOf(group))));
  expect(answers.map(({ status }) => status)).toEqual(GROUPS.map(() => 200));
});

it('the server is not ready while definitions of before its start cannot be settled', async () => {
  await using store = createMemoryEngine();
  await leaveDefinitions(store);
  const engine = new SteeredEngine(store);
  let isRefusing = true;
  engine.beforeCommits(DEFINITIONS, async () => {
    if (isRefusing) throw new StorageError('UNAVAILABLE', 'the test says so');
  });
  await using server = await CustomServer.start({ engine });
  const { status, body } = await server.ask('GET', '/readyz?verbose');
  expect([status, body]).toEqual([500, expect.stringContaining('[-]custom-resource-definitions failed')]);
  isRefusing = false;
  await server.clock.advance(1000);
  await server.until(200, 'GET', '/readyz');
  for (const group of GROUPS) expect((await server.ask('GET', pathOf(group))).status).toBe(200);
});
