/** A hundred thousand objects in one informer, plain and compact: what they hold, and what a relist adds. */

import { configMap, configMapPath, create, NAMESPACE, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { nodeClient, runClient } from './client-run.ts';

const OBJECTS = 100_000;
const WRITERS = 16;
const GOAL_RATIO = 1.3;

export async function benchLarge(server: Target): Promise<void> {
  console.error(`making ${OBJECTS} objects (a minute or two) ...`);
  await withConnections(server, 'h1', WRITERS, (connections) =>
    spread(connections, OBJECTS, (connection, i) => create(connection, configMapPath(), configMap(i))),
  );
  for (const form of ['plain', 'compact']) {
    const client = nodeClient(form, 'large.mjs', server.url, server.token, NAMESPACE, String(OBJECTS), form);
    const { objects, peakRatio = Number.NaN, heldToJson = Number.NaN, ...facts } = await runClient(client);
    if (objects !== OBJECTS) throw new Error(`the informer has ${objects} of ${OBJECTS} objects`);
    const name = `listwatch-${form}`;
    record(
      { name },
      { bench: 'relist-peak', value: peakRatio, unit: 'of steady', goal: { atMost: GOAL_RATIO }, ...facts },
    );
    const held = { bench: 'held', value: heldToJson, unit: 'of JSON bytes' };
    record({ name }, form === 'compact' ? { ...held, goal: { atMost: GOAL_RATIO } } : held);
  }
}
