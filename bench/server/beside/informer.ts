/** The first sync of a client-go informer in protobuf: the CPU of the client, and of the server. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { lastLine } from '../../runtime/client-run.ts';
import { buildClientGo } from '../../runtime/peers.ts';
import { NAMESPACE, OBJECTS, seed } from '../objects.ts';
import { cpuMicros } from '../process-facts.ts';
import { middle, record } from '../result.ts';
import type { Target } from '../target.ts';
import { JUDGE } from './contest.ts';
import { PROTOBUF } from './pods.ts';

const run = promisify(execFile);
const ROUNDS = 9;
const AT_MOST = 1;

/** Of 5 000 ConfigMaps. Left out without Go. */
export async function benchInformer(targets: readonly Target[]): Promise<void> {
  const program = buildClientGo();
  if (program === undefined) return;
  for (const target of targets) await seed(target);
  const runs = new Map<Target, { readonly client: number[]; readonly server: number[] }>(
    targets.map((target) => [target, { client: [], server: [] }]),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [target, { client, server }] of runs) {
      const { url, token, pid } = target;
      const before = cpuMicros(pid);
      const args = ['-url', url, '-token', token, '-namespace', NAMESPACE, '-objects', String(OBJECTS)];
      const { stdout } = await run(program, [...args, '-content-type', PROTOBUF]);
      const { cpuMs = Number.NaN } = lastLine(stdout);
      // The first round encodes the objects.
      if (round === 0) continue;
      client.push(cpuMs);
      server.push((cpuMicros(pid) - before) / 1000);
    }
  }
  const judge = [...runs].find(([{ name }]) => name === JUDGE)?.[1];
  for (const [target, { client, server }] of runs) {
    record(target, { bench: 'informer client', value: middle(client), unit: 'ms CPU', least: Math.min(...client) });
    record(target, { bench: 'informer server', value: middle(server), unit: 'ms CPU', least: Math.min(...server) });
    if (judge === undefined || target.name === JUDGE) continue;
    const value = middle(client) / middle(judge.client);
    record(target, { bench: `informer client / ${JUDGE}`, value, unit: 'ratio', goal: { atMost: AT_MOST } });
  }
}
