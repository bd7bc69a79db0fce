/** Starts and stops our own server as a child process. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type EtcdProcess, startEtcd } from '@listwatch/conformance/parts';
import { makeCertificate } from './certificate.ts';
import type { MemoryParts, Target } from './target.ts';

/** The engines; `bare` is no server of ours but the floor under it. */
export type Storage = 'bare' | 'etcd' | 'lmdb' | 'memory';

/** Those that our server runs on. */
export type Engine = Exclude<Storage, 'bare'>;

export function isEngine(text: string): text is Engine {
  return text === 'etcd' || text === 'lmdb' || text === 'memory';
}

/** Our server, and how long it took to be ready. */
export interface OwnServer extends Target {
  readonly readyMs: number;
  /** Every version before the present is 410 from now on. Watches that run go on. */
  forget(): Promise<void>;
  stop(): Promise<void>;
  /** SIGKILL: as a crash would. */
  kill(): Promise<void>;
}

/** Options of {@link startOwnServer}. */
export interface OwnServerOptions {
  /** An empty folder for the store and the certificate. */
  readonly folder: string;
  readonly storage: Storage;
  /** Run the sources instead of what `npm run build` made: ready later, and larger by a compiler. Default false. */
  readonly fromSource?: boolean | undefined;
  /** Default: any that is free. */
  readonly port?: number | undefined;
  /** The members of an etcd that is shared. Default: one of its own is started for the storage `etcd`. */
  readonly endpoints?: readonly string[] | undefined;
  /** Record all requests at this level in `audit.log` of the folder. Default: nothing is recorded. */
  readonly auditLevel?: 'Metadata' | 'Request' | 'RequestResponse' | undefined;
  /** Write a CPU profile there when it stops. */
  readonly profileFolder?: string | undefined;
}

const NO_MEMORY: MemoryParts = { heapUsed: 0, heapTotal: 0, external: 0, arrayBuffers: 0, rss: 0 };
const TOKEN = 'bench-token';

/** Starts it; resolves when it listens. */
export async function startOwnServer(options: OwnServerOptions): Promise<OwnServer> {
  const { folder, storage, fromSource = false, port = 0, profileFolder, endpoints, auditLevel } = options;
  const { cert, key } = makeCertificate(folder);
  const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const etcd = storage === 'etcd' && endpoints === undefined ? await startEtcd() : undefined;
  const place = endpoints?.join(',') ?? etcd?.endpoint ?? folder;
  const started = performance.now();
  const script = new URL(storage === 'bare' ? 'bare-serve.ts' : 'serve.mjs', import.meta.url);
  const audit = auditLevel === undefined ? [] : [auditLevel, join(folder, 'audit.log')];
  const child = fork(fileURLToPath(script), [storage, place, cert, key, TOKEN, String(port), ...audit], {
    execArgv: [
      '--expose-gc',
      ...profile,
      ...(fromSource ? ['--conditions=@listwatch/source'] : []),
      ...(fromSource || storage === 'bare' ? ['--import', 'tsx'] : []),
    ],
  });
  const { url } = await messageOf(child, 'ready');
  const readyMs = performance.now() - started;
  return {
    name: storage === 'bare' ? storage : `listwatch-${storage}`,
    url: url ?? '',
    token: TOKEN,
    pid: child.pid ?? 0,
    readyMs,
    collect: async () => void (await tell(child, 'collect', 'collected')),
    forget: async () => void (await tell(child, 'forget', 'forgotten')),
    memory: async () => (await tell(child, 'collect', 'collected')).memory ?? NO_MEMORY,
    stop: () => end(child, 'SIGTERM', etcd),
    kill: () => end(child, 'SIGKILL', etcd),
  };
}

async function tell(child: ChildProcess, order: string, answer: string): Promise<Message> {
  const answered = messageOf(child, answer);
  child.send(order);
  return answered;
}

async function end(child: ChildProcess, signal: NodeJS.Signals, etcd?: EtcdProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  await etcd?.stop();
}

interface Message {
  readonly type: string;
  readonly url?: string | undefined;
  readonly memory?: MemoryParts | undefined;
}

function messageOf(child: ChildProcess, type: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the server ended before it was ready'));
    const onMessage = (message: unknown): void => {
      if (!isMessage(message) || message.type !== type) return;
      child.off('exit', onExit).off('message', onMessage);
      resolve(message);
    };
    child.on('exit', onExit).on('message', onMessage);
  });
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
