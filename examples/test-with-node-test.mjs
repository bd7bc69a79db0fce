/**
 * A test with nothing but Node's own test runner, in plain JavaScript:
 *
 *     node --test examples/test-with-node-test.mjs
 *
 * In this workspace, where the packages are not built, Node needs to be told where their sources are:
 * `node --conditions=@listwatch/source --import tsx --test examples/test-with-node-test.mjs`.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isConflict, isTooManyRequests, resource } from '@listwatch/api';
import { startTestServer } from '@listwatch/testing';

const configMaps = resource({ version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true });
const target = { namespace: 'default', name: 'counter' };

/** The code under test: adds one, and tries again when somebody else was faster. */
async function increment(cluster) {
  for (;;) {
    const current = await cluster.get(configMaps, target);
    const count = Number(current.data.count) + 1;
    try {
      return await cluster.update(configMaps, { ...current, data: { count: String(count) } });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

let env;
before(async () => {
  env = await startTestServer();
});
after(() => env.close());

test('counts every increment, however many come at once', async () => {
  await env.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'counter' }, data: { count: '0' } });
  await Promise.all(Array.from({ length: 10 }, () => increment(env.cluster)));
  const { data } = await env.cluster.get(configMaps, target);
  assert.equal(data.count, '10');
});

test('a server that is too busy is told to the caller', async () => {
  // With a time to come back the client would wait and try again by itself.
  const fault = env.faults.tooManyRequests(1);
  await assert.rejects(increment(env.cluster), (error) => isTooManyRequests(error));
  assert.equal(fault.hits, 1);
});
