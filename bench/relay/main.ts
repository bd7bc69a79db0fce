/**
 * The relay beside its upstream, in the same run: `main.ts [--own] [--no-direct] [--seconds 15] [--rounds 3] [--flag=FLAG ...]
 * [--profiles DIR] [bench ...]`. The upstream is a kube-apiserver where KUBE_APISERVER_BIN is set, else ours; `--own` takes ours always.
 * `--flag` goes to the relay. `load` needs a kube-apiserver, and runs only when it is named.
 */

import { parseArgs } from 'node:util';
import { machine } from '../server/machine.ts';
import { seed } from '../server/objects.ts';
import { markdownTable } from '../server/result.ts';
import { inScratch } from '../storage/scratch.ts';
import { benchFollowers } from './followers.ts';
import { benchIdle } from './idle.ts';
import { benchLists } from './lists.ts';
import { benchLoad } from './load.ts';
import { startUpstream } from './measured-upstream.ts';
import { benchPassed } from './passed.ts';
import type { RelayStage } from './relay-stage.ts';
import { benchRestart } from './restart.ts';
import { benchStarts } from './starts.ts';
import { benchTree } from './tree.ts';

const BENCHES: readonly (readonly [string, (stage: RelayStage) => Promise<void>])[] = [
  ['followers', benchFollowers],
  ['starts', benchStarts],
  ['lists', benchLists],
  ['passed', benchPassed],
  ['restart', benchRestart],
  ['idle', benchIdle],
  ['tree', benchTree],
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'boolean', default: false },
    'no-direct': { type: 'boolean', default: false },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
    flag: { type: 'string', multiple: true, default: [] },
    profiles: { type: 'string' },
  },
});
const names = [...BENCHES.map(([name]) => name), 'load'];
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) throw new TypeError(`no bench is called ${unknown}; there are: ${names.join(', ')}`);

machine();
await inScratch(async (folder) => {
  const chosen = BENCHES.filter(([name]) => positionals.length === 0 || positionals.includes(name));
  const rest = { seconds: Number(values.seconds), rounds: Number(values.rounds), direct: !values['no-direct'] };
  const common = { folder, kinds: 'configmaps', flags: values.flag, profiles: values.profiles };
  if (chosen.length > 0) {
    await using upstream = await startUpstream(folder, values.own);
    await seed(upstream.target);
    const { kubeconfig, target } = upstream;
    const stage: RelayStage = { upstream, plan: { ...common, kubeconfig, token: target.token }, ...rest };
    for (const [, bench] of chosen) await bench(stage);
  }
  if (positionals.includes('load')) {
    await benchLoad({ plan: { ...common, kubeconfig: '', token: '' }, ...rest });
  }
});
console.error(markdownTable());
