/**
 * `serve --readers N` beside one process, in the same run: `main.ts [--readers 0,2] [--watchers 1000] [--per-reader 0.8] [--rate 20]
 * [--seconds 15] [--rounds 1] [--profiles DIR]`. One process has `watchers` watchers; with readers, each reader has `per-reader` times as many.
 * The number that counts is the CPU of the busiest event loop: it says how many watchers fit, however many cores the machine has.
 */

import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { machine } from '../server/machine.ts';
import { configMap, configMapPath, seedWith } from '../server/objects.ts';
import { resident } from '../server/process-facts.ts';
import { digits, record } from '../server/result.ts';
import { steadyLoad, UPDATED } from '../server/steady-fleet.ts';
import { inScratch } from '../storage/scratch.ts';
import { type ServedReaders, serveWithReaders } from './served-readers.ts';

const { values } = parseArgs({
  options: {
    readers: { type: 'string', default: '0,2' },
    watchers: { type: 'string', default: '1000' },
    'per-reader': { type: 'string', default: '0.8' },
    rate: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '1' },
    profiles: { type: 'string' },
  },
});
const rate = Number(values.rate);
/** As many as a server lets into one HTTP/2 connection, so that they spread over the readers. */
const STREAMS = 50;

machine();
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const text of values.readers.split(',')) {
    const readers = Number(text);
    await inScratch(async (folder) => {
      await using served = await serveWithReaders({ folder, readers, profiles: values.profiles });
      const watchers = Number(values.watchers) * (readers === 0 ? 1 : readers * Number(values['per-reader']));
      await measure(served, Math.round(watchers / STREAMS) * STREAMS);
    });
  }
}

async function measure(served: ServedReaders, watchers: number): Promise<void> {
  const { target, readers } = served;
  await seedWith(target, UPDATED, (i) => [configMapPath(), configMap(i)]);
  const pids = [target.pid, ...readers];
  const seconds = Number(values.seconds);
  const load = { targets: [target], writeTo: target, watchers, watchesPerConnection: STREAMS, rate, seconds, pids };
  const { latencies, delivered, lost, ended, clientCores, used } = await steadyLoad(load);
  const loops = used.map(({ loop }) => digits(loop));
  const bench = `${watchers} watchers at ${rate} changes/s`;
  const facts = {
    loops,
    processes: used.map(({ all }) => digits(all)),
    clientCores: digits(clientCores),
    residentMiB: pids.map((pid) => Math.round(resident(pid).now / 1048576)),
    delivered,
    lost,
    watchesThatEnded: ended,
    load: digits(loadavg()[0] ?? 0),
  };
  record(target, { bench: `${bench}, busiest loop`, value: Math.max(...loops), unit: 'cores', ...facts });
  record(target, { bench: `${bench}, p50`, value: latencies.percentile(0.5), unit: 'ms' });
  record(target, { bench: `${bench}, p99`, value: latencies.percentile(0.99), unit: 'ms' });
}
