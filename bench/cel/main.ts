/**
 * CEL beside other libraries: `npm run bench:cel`, or `npm run bench:cel -- FOLDER` with a folder into which the others were
 * installed by hand (`npm install @marcbachmann/cel-js @bufbuild/cel cel-js`). Those that are missing are named and left out.
 */

import { machine } from '../server/machine.ts';
import { middle, record } from '../server/result.ts';
import { CASES, type CelCase } from './cases.ts';
import { ownPeer } from './own-peer.ts';
import { loadPeers, type Peer } from './peers.ts';

const ROUNDS = 5;
const ROUND_MICROSECONDS = 40_000;

/** Microseconds of CPU time per call, which others on the machine do not spoil: the middle of several rounds. */
function measure(work: () => unknown): number {
  const spent = (count: number): number => {
    const before = process.cpuUsage();
    for (let call = 0; call < count; call++) work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  let count = 1;
  // Warm up until the code is compiled, and find out how many calls fill a round.
  while (spent(count) < ROUND_MICROSECONDS) count *= 2;
  return middle(Array.from({ length: ROUNDS }, () => spent(count) / count));
}

function bench(peer: Peer, { name, expression, self }: CelCase): void {
  const program = peer.compile(expression);
  const input = peer.input(self);
  const result = String(program(input));
  if (result !== 'true') {
    record(peer, { bench: `cel ${name}`, value: Number.NaN, unit: 'us', result });
    return;
  }
  record(peer, { bench: `cel compile ${name}`, value: measure(() => peer.compile(expression)), unit: 'us' });
  record(peer, { bench: `cel evaluate ${name}`, value: measure(() => program(input)), unit: 'us' });
}

const { peers, missing } = await loadPeers(process.argv[2]);
machine({ missing });
for (const one of CASES) {
  for (const peer of [ownPeer, ...peers]) {
    try {
      bench(peer, one);
    } catch (error) {
      record(peer, { bench: `cel ${one.name}`, value: Number.NaN, unit: 'us', failed: String(error).split('\n')[0] });
    }
  }
}
