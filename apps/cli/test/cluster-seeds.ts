/**
 * Seeded fault runs of a cluster of three etcd members and three servers: `npm run test:cluster -- --seeds 1-50`. A line of JSON for each
 * run goes to `--out`; the process ends with 1 when a run has a violation.
 */

import { appendFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FAULT_TYPES, type FaultType, runCluster } from '@listwatch/conformance/cluster';
import { createEtcdEngine } from '@listwatch/storage-etcd';

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

const BIN = fileURLToPath(new URL('../bin/listwatch.js', import.meta.url));

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-5' },
    faults: { type: 'string', default: '5' },
    /** Only these types of faults. */
    types: { type: 'string', default: FAULT_TYPES.join(',') },
    watchers: { type: 'string', default: '140' },
    informers: { type: 'string', default: '60' },
    /** Run the build instead of the sources: it starts faster. */
    built: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

const [first = 1, last = first] = values.seeds.split('-').map(Number);
const types = FAULT_TYPES.filter((type: FaultType) => values.types.split(',').includes(type));
let broken = 0;
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
      command: values.built ? [BIN] : ['--conditions=@listwatch/source', BIN],
      openEngine: (endpoints) => createEtcdEngine({ endpoints, root: '/listwatch', compaction: 'off' }),
      faults: Number(values.faults),
      watchers: Number(values.watchers),
      informers: Number(values.informers),
      types,
      log: tell,
    });
    if (summary.violations.length > 0) broken += 1;
    report(summary);
  } catch (error) {
    broken += 1;
    report({ error: error instanceof Error ? error.stack : String(error) });
  }
}
tell(broken === 0 ? 'every run was clean' : `${broken} runs were not clean`);
process.exitCode = broken === 0 ? 0 : 1;
