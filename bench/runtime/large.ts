/** Large collections in one informer, plain and compact: what the first sync costs, what is held, what a relist adds. */

import { configMap, configMapPath, create, largePod, NAMESPACE, spread } from '../server/objects.ts';
import { withConnections } from '../server/open-connection.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { nodeClient, runClient } from './client-run.ts';

const CONFIG_MAPS = 100_000;
const PODS = 30_000;
const WRITERS = 16;
const GOAL_RATIO = 1.3;
const GOAL_SYNC_CPU = 0.6;

export async function benchLarge(server: Target, rounds: number): Promise<void> {
  console.error(`making ${CONFIG_MAPS} ConfigMaps and ${PODS} Pods (two or three minutes) ...`);
  await withConnections(server, 'h1', WRITERS, async (connections) => {
    await spread(connections, CONFIG_MAPS, (connection, i) => create(connection, configMapPath(), configMap(i)));
    const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
    await spread(connections, PODS, (connection, i) => create(connection, pods, largePod(i)));
  });
  for (const strategy of ['listWatch', 'streamingList']) {
    await benchSyncs(server, 'configmaps', CONFIG_MAPS, strategy, rounds);
    await benchSyncs(server, 'pods', PODS, strategy, rounds);
  }
  for (const form of ['plain', 'compact']) await benchRelist(server, form);
}

/** Plain and compact in turns: the speed of the machine drifts by more than they differ. */
async function benchSyncs(
  { url, token }: Target,
  plural: string,
  objects: number,
  strategy: string,
  rounds: number,
): Promise<void> {
  const runs = { plain: [] as Readonly<Record<string, number>>[], compact: [] as Readonly<Record<string, number>>[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [form, results] of Object.entries(runs)) {
      const run = await runClient(nodeClient(form, 'large-sync.mjs', url, token, NAMESPACE, plural, form, strategy));
      if (run['objects'] !== objects) throw new Error(`the informer has ${run['objects']} of ${objects} objects`);
      results.push(run);
    }
  }
  const of = (form: keyof typeof runs, field: string): number =>
    middle(runs[form].map((run) => run[field] ?? Number.NaN));
  const what = `${plural}, ${strategy}`;
  for (const form of ['plain', 'compact'] as const) {
    const facts = { peakMb: of(form, 'peakMb'), jsonMb: of(form, 'jsonMb'), wallMs: of(form, 'wallMs') };
    record(
      { name: `listwatch-${form}` },
      { bench: `large-sync, ${what}`, value: of(form, 'cpuMs'), unit: 'ms', ...facts },
    );
  }
  const ratios = runs.compact.map((run, i) => (run['cpuMs'] ?? Number.NaN) / (runs.plain[i]?.['cpuMs'] ?? Number.NaN));
  record(
    { name: 'listwatch-compact' },
    { bench: `large-sync CPU, ${what}`, value: middle(ratios), unit: 'of plain', goal: { atMost: GOAL_SYNC_CPU } },
  );
}

async function benchRelist({ url, token }: Target, form: string): Promise<void> {
  const client = nodeClient(form, 'large.mjs', url, token, NAMESPACE, String(CONFIG_MAPS), form);
  const { objects, peakRatio = Number.NaN, heldToJson = Number.NaN, ...facts } = await runClient(client);
  if (objects !== CONFIG_MAPS) throw new Error(`the informer has ${objects} of ${CONFIG_MAPS} objects`);
  const name = `listwatch-${form}`;
  record(
    { name },
    { bench: 'relist-peak', value: peakRatio, unit: 'of steady', goal: { atMost: GOAL_RATIO }, ...facts },
  );
  const held = { bench: 'held', value: heldToJson, unit: 'of JSON bytes' };
  record({ name }, form === 'compact' ? { ...held, goal: { atMost: GOAL_RATIO } } : held);
}
