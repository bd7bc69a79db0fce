/** Operations of the work queue each second: adds with duplicates, takes, forgets and dones, on one worker. */

import { type BenchClient, runClient } from '../runtime/client-run.ts';
import { middle, record } from '../server/result.ts';
import { nodeController } from './controller-client.ts';
import type { ControllerPeers } from './controller-peers.ts';

/** Keys in line at once. */
const DEPTHS = [100, 1_000, 10_000, 100_000] as const;
const KEYS = 4_000_000;

export async function benchQueue(peers: ControllerPeers, rounds: number): Promise<void> {
  for (const depth of DEPTHS) {
    const args = [String(depth), String(KEYS / depth)];
    const go = (mode: string): BenchClient[] =>
      peers.go === undefined
        ? []
        : [
            {
              name: mode,
              command: peers.go,
              args: ['-mode', mode, '-objects', args[0] ?? '', '-rounds', args[1] ?? ''],
            },
          ];
    const rates = new Map<string, number[]>();
    for (let round = 0; round < rounds; round += 1) {
      // In turns, so that a noisy neighbour spoils a round of all and not all rounds of one.
      for (const client of [
        nodeController('listwatch', 'queue.mjs', ...args, 'now'),
        nodeController('listwatch-take', 'queue.mjs', ...args, 'take'),
        ...go('queue'),
      ]) {
        const { cpuNsPerOp = Number.NaN } = await runClient(client);
        rates.set(client.name, [...(rates.get(client.name) ?? []), cpuNsPerOp]);
      }
    }
    const goal = middle(rates.get('queue') ?? []);
    for (const [name, values] of rates) {
      record(
        { name: name === 'queue' ? 'client-go' : name },
        {
          bench: `queue-op-${depth}`,
          value: middle(values),
          unit: 'ns CPU',
          opsPerSecond: Math.round(1e9 / middle(values)),
          ...(name === 'listwatch' && goal > 0 ? { goal: { atMost: goal } } : {}),
        },
      );
    }
  }
}
