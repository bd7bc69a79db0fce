// Our work queue on one worker: adds each key twice, then takes and finishes all. Prints one JSON line.

import { workQueue } from '@listwatch/runtime';

const [count, rounds, way] = process.argv.slice(2);
const names = Array.from({ length: Number(count) }, (_, i) => `default/object-${String(i).padStart(7, '0')}`);
const started = performance.now();
const before = process.cpuUsage();
const queue = workQueue();
for (let round = 0; round < Number(rounds); round++) {
  for (let times = 0; times < 2; times++) for (const name of names) queue.add(name);
  for (let taken = 0; taken < names.length; taken++) {
    const item = way === 'take' ? await queue.take() : queue.takeNow();
    queue.forget(item.key);
    item.done();
  }
}
const operations = Number(rounds) * names.length * 4;
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    opsPerSecond: (operations * 1000) / (performance.now() - started),
    cpuNsPerOp: ((user + system) * 1000) / operations,
  }),
);
