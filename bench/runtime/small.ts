/** What it costs to import the runtime, and to run a thousand informers. */

import { NAMESPACE } from '../server/objects.ts';
import { middle, record } from '../server/result.ts';
import type { Target } from '../server/target.ts';
import { nodeClient, runClient } from './client-run.ts';

const NAME = { name: 'listwatch' };
const GOAL_IMPORT_MS = 30;
const GOAL_IMPORT_MB = 10;
const INFORMERS = 1000;

export async function benchImport(rounds: number): Promise<void> {
  const runs: Readonly<Record<string, number>>[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await runClient(nodeClient('import', 'import.mjs')));
  const of = (field: string): number => middle(runs.map((run) => run[field] ?? Number.NaN));
  record(NAME, { bench: 'import-wall', value: of('wallMs'), unit: 'ms', goal: { atMost: GOAL_IMPORT_MS } });
  record(NAME, { bench: 'import-cpu', value: of('cpuMs'), unit: 'ms' });
  record(NAME, { bench: 'import-memory', value: of('megabytes'), unit: 'MB', goal: { atMost: GOAL_IMPORT_MB } });
}

export async function benchMany({ url, token }: Target): Promise<void> {
  const {
    synced,
    sockets = 0,
    ...costs
  } = await runClient(nodeClient('many', 'many.mjs', url, token, NAMESPACE, String(INFORMERS)));
  if (synced !== INFORMERS) throw new Error(`${synced} of ${INFORMERS} informers are right`);
  record(NAME, { bench: 'many-sockets', value: sockets, unit: 'sockets', ...costs });
}
