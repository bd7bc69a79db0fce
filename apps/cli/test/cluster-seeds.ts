/**
 * Seeded fault runs of a cluster of three etcd members and three servers: `npm run test:cluster -- --seeds 1-50 --from v0.1.0`. A line of
 * JSON for each run goes to `--out`; the process ends with 1 when a run has a violation.
 */

import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type ClusterRunSummary,
  checkUpgradedStore,
  FAULT_TYPES,
  type FaultType,
  RELAY_FAULT_TYPES,
  runCluster,
} from '@listwatch/conformance/cluster';
import { createEtcdEngine } from '@listwatch/storage-etcd';
import { buildRelease } from '../../../scripts/build-release.mjs';
import { summaryText } from './cluster-summary.ts';

function tell(line: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(3)} ${line}\n`);
}

const BIN = fileURLToPath(new URL('../bin/listwatch.js', import.meta.url));

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-5' },
    faults: { type: 'string', default: '5' },
    /** Only these types of faults. */
    types: { type: 'string' },
    /** Two relays in front of the first server, and faults of theirs. */
    relays: { type: 'boolean', default: false },
    watchers: { type: 'string', default: '140' },
    informers: { type: 'string', default: '60' },
    /** Run the build instead of the sources: it starts faster. */
    built: { type: 'boolean', default: false },
    out: { type: 'string' },
    /** A commit or a tag: the servers begin in that version, and the first fault is the upgrade. */
    from: { type: 'string' },
    /** A folder for the logs of the servers. */
    logs: { type: 'string' },
  },
});

const [first = 1, last = first] = values.seeds.split('-').map(Number);
const known: readonly FaultType[] = values.relays ? [...FAULT_TYPES, ...RELAY_FAULT_TYPES] : FAULT_TYPES;
const types = known.filter((type) => values.types?.split(',').includes(type) ?? true);
if (types.length === 0) throw new RangeError(`--types has none of ${known.join(', ')}`);
const command = (cli: string): readonly string[] => (values.built ? [cli] : ['--conditions=@listwatch/source', cli]);
const earlier = values.from === undefined ? undefined : buildRelease(values.from);
if (earlier === undefined) tell('no earlier version is given (--from REF): the faults have no upgrade');
const from = earlier === undefined ? undefined : [join(earlier, 'apps/cli/bin/listwatch.js')];
const summaries: ClusterRunSummary[] = [];
let broken = 0;
if (from !== undefined) {
  for (const isKilled of [true, false]) {
    const violations = await checkUpgradedStore({ seed: first, from, to: command(BIN), isKilled });
    const end = isKilled ? 'was killed' : 'ended';
    tell(`a data folder of ${values.from}, whose server ${end}: ${violations.join('; ') || 'all is there'}`);
    if (violations.length > 0) broken += 1;
  }
}
for (let seed = first; seed <= last; seed += 1) {
  const started = performance.now();
  const report = (facts: object): void => {
    const line = JSON.stringify({ seed, seconds: Math.round((performance.now() - started) / 1000), ...facts });
    process.stdout.write(`${line}\n`);
    if (values.out !== undefined) appendFileSync(values.out, `${line}\n`);
  };
  try {
    const summary = await runCluster({
      seed,
      command: command(BIN),
      from,
      openEngine: (endpoints) => createEtcdEngine({ endpoints, compaction: 'off' }),
      faults: Number(values.faults),
      watchers: Number(values.watchers),
      informers: Number(values.informers),
      types,
      relays: values.relays,
      log: tell,
      onServerLine: (server, { at, text }) => {
        if (values.logs === undefined) return;
        mkdirSync(values.logs, { recursive: true });
        appendFileSync(join(values.logs, `seed-${seed}-server-${server}.log`), `${(at / 1000).toFixed(3)} ${text}\n`);
      },
    });
    summaries.push(summary);
    if (summary.violations.length > 0) broken += 1;
    report(summary);
  } catch (error) {
    broken += 1;
    report({ error: error instanceof Error ? error.stack : String(error) });
  }
}
tell(summaryText(summaries));
tell(broken === 0 ? 'every run was clean' : `${broken} runs were not clean`);
process.exitCode = broken === 0 ? 0 : 1;
