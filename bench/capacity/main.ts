/**
 * What a server can carry: `main.ts [nodes|lists|etcd-writes|unit-costs|tables ...] [--scale 0.1] [--seconds N] [--keep]`. Without a
 * name, the two workloads that the model is checked with. `unit-costs` measures what the model stands on; `--keep` writes that to
 * `unit-costs.json` and into the guide, which `tables` does by itself. Our servers run as they were built last.
 */

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { machine } from '../server/machine.ts';
import { markdownTable } from '../server/result.ts';
import { report } from '../storage/measure.ts';
import { unitCostTable } from './capacity-tables.ts';
import { benchEtcdWrites } from './etcd-writes.ts';
import { updateGuide } from './guide-tables.ts';
import { keepUnitCosts, knownUnitCosts } from './known-unit-costs.ts';
import { measureUnitCosts } from './measured-unit-costs.ts';
import { runPoint } from './point.ts';
import { listsPoint, nodesPoint } from './points.ts';

const NAMES = ['unit-costs', 'nodes', 'lists', 'etcd-writes', 'tables'];
const POINTS = ['nodes', 'lists'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    keep: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`no bench is called ${unknown.join(', ')}; there are: ${NAMES.join(', ')}`);
  process.exit(2);
}
const wanted = new Set(positionals.length === 0 ? POINTS : positionals);
const scale = { scale: Number(values.scale), seconds: Number(values.seconds) };
if (!(scale.scale > 0 && scale.seconds >= 1)) throw new RangeError('--scale must be above 0 and --seconds at least 1');

machine();
if (wanted.has('unit-costs')) {
  const costs = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`,
    ...(await measureUnitCosts()),
  };
  report({ bench: 'unit costs', ...costs });
  if (values.keep) {
    keepUnitCosts(costs);
    updateGuide();
  }
  console.error(`${unitCostTable(costs)}\n`);
}
if (wanted.has('tables')) updateGuide();
if (wanted.has('nodes')) await runPoint(nodesPoint(scale), knownUnitCosts().lmdb);
if (wanted.has('lists')) await runPoint(listsPoint(scale), knownUnitCosts().etcd);
if (wanted.has('etcd-writes')) await benchEtcdWrites();
console.error(markdownTable());
