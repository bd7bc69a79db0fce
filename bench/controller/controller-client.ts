/** A controller in a process of its own: told when to end, asked what it has cost. */

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BenchClient, CLIENT_ENVIRONMENT, lastLine } from '../runtime/client-run.ts';
import type { Target } from '../server/target.ts';
import type { ControllerPeers } from './controller-peers.ts';

/** What a controller says of itself. */
export type ControllerRun = Readonly<Record<string, number>>;

/** What a controller follows. */
export interface Followed {
  readonly namespace: string;
  /** ConfigMaps that it reconciles. */
  readonly objects: number;
  /** Also the Secrets that these own. */
  readonly owned: boolean;
  /** How long each reconcile takes, after the first of each object. Default: 0. */
  readonly reconcileMs?: number | undefined;
}

/** Ours and the peers that could be built. */
export function controllersOf(
  { url, token }: Target,
  followed: Followed,
  peers: ControllerPeers,
): readonly BenchClient[] {
  const { namespace, objects, owned, reconcileMs = 0 } = followed;
  const args = [url, token, namespace, String(objects), owned ? 'owned' : 'alone', String(reconcileMs)];
  const flags = [
    '-url',
    url,
    '-token',
    token,
    '-namespace',
    namespace,
    '-objects',
    String(objects),
    '-reconcile-ms',
    String(reconcileMs),
  ];
  return [
    nodeController('listwatch', 'controller.mjs', ...args),
    nodeController('listwatch-compact', 'controller.mjs', ...args, 'compact'),
    ...(peers.go === undefined
      ? []
      : [
          {
            name: 'controller-runtime',
            command: peers.go,
            args: ['-mode', 'controller', ...flags, ...(owned ? ['-owned'] : [])],
          },
        ]),
    ...(peers.rust === undefined ? [] : [{ name: 'kube-rs', command: peers.rust, args }]),
  ];
}

export function nodeController(name: string, file: string, ...args: readonly string[]): BenchClient {
  const script = fileURLToPath(new URL(`clients/${file}`, import.meta.url));
  return { name, command: process.execPath, args: [script, ...args] };
}

/** Runs `work` once the controller has reconciled everything, and gives what it says at its end. */
export async function withController(
  { name, command, args }: BenchClient,
  work: () => Promise<void>,
): Promise<ControllerRun> {
  const child = spawn(command, [...args], { env: CLIENT_ENVIRONMENT, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    const first = await lines.next();
    if (first.value !== 'ready') throw new Error(`${name} ended before it was ready`);
    await work();
    child.stdin.write('end\n');
    const last = await lines.next();
    if (last.done === true) throw new Error(`${name} ended without a result`);
    return lastLine(last.value);
  } finally {
    child.kill('SIGKILL');
  }
}
