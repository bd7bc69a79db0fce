/** Three etcd members and three servers as real processes, with a proxy on every way between them. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EtcdProcess, startEtcdCluster } from '../parts/etcd-process.ts';
import { freePorts } from '../parts/free-port.ts';
import { startTcpProxy, type TcpProxy } from '../parts/tcp-proxy.ts';

const SIZE = 3;
const READY_MS = 90_000;

/** How a client proves who it is. */
export interface ClusterCredentials {
  readonly caData: string;
  readonly certData: string;
  readonly keyData: string;
}

export interface ClusterProcesses extends AsyncDisposable {
  readonly members: readonly EtcdProcess[];
  /** In front of the peer port of each member. */
  readonly peers: readonly TcpProxy[];
  readonly servers: readonly ServerProcess[];
  readonly credentials: ClusterCredentials;
  /** The index of the member that leads; undefined while none does. */
  leader(): Promise<number | undefined>;
}

/** Starts them all. `command` is what Node runs `listwatch` with. */
export async function startClusterProcesses(command: readonly string[]): Promise<ClusterProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-cluster-'));
  const peers: TcpProxy[] = [];
  const proxies: TcpProxy[] = [];
  const servers: ServerProcess[] = [];
  const starting: Promise<void>[] = [];
  let members: readonly EtcdProcess[] = [];
  const end = async (): Promise<void> => {
    await Promise.allSettled(starting);
    await Promise.all(servers.map((server) => server.kill()));
    await Promise.all(members.map((member) => member.stop()));
    await Promise.all([...peers, ...proxies].map((proxy) => proxy.close()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    members = await startEtcdCluster(SIZE, {
      advertisedPeer: async (peer) => {
        const proxy = await startTcpProxy(peer);
        peers.push(proxy);
        return proxy.port;
      },
    });
    const ports = await freePorts(SIZE);
    for (const [index, port] of ports.entries()) {
      const toEtcd = await Promise.all(members.map((member) => startTcpProxy(member.port)));
      proxies.push(...toEtcd);
      const data = join(folder, `server-${index}`);
      mkdirSync(data);
      // One authority for all: the first server makes it.
      if (index > 0) cpSync(join(folder, 'server-0', 'pki'), join(data, 'pki'), { recursive: true });
      const server = new ServerProcess({ command, data, port, toEtcd });
      servers.push(server);
      const started = server.start();
      if (index === 0) await started;
      else starting.push(started);
    }
    await Promise.all(starting);
    return {
      members,
      peers,
      servers,
      credentials: readCredentials(join(folder, 'server-0', 'kubeconfig')),
      leader: () => findLeader(members),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

interface ServerPlan {
  readonly command: readonly string[];
  readonly data: string;
  readonly port: number;
  readonly toEtcd: readonly TcpProxy[];
}

/** One `listwatch serve`, in as many lives as it takes. */
export class ServerProcess {
  readonly url: string;
  /** Its ways to the etcd members. */
  readonly toEtcd: readonly TcpProxy[];
  /** What it wrote that looks like a bug: an unhandled rejection, an unexpected failure. */
  readonly alarms: string[] = [];
  readonly #plan: ServerPlan;
  #child: ChildProcess | undefined;
  #tail = '';

  constructor(plan: ServerPlan) {
    this.#plan = plan;
    this.url = `https://127.0.0.1:${plan.port}`;
    this.toEtcd = plan.toEtcd;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    const { command, data, port } = this.#plan;
    const etcd = this.toEtcd.map(({ endpoint }) => endpoint).join(',');
    const flags = ['serve', '--data', data, '--port', String(port), '--etcd-servers', etcd, '--storage', 'etcd'];
    const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('LISTWATCH_'));
    const child = spawn(process.execPath, [...command, ...flags], { env: Object.fromEntries(kept) });
    this.#child = child;
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('close', () => process.off('exit', kill));
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not ready after ${READY_MS} ms: ${this.#tail}`)), READY_MS);
      const over = (): void => clearTimeout(timer);
      child.once('close', (code) => {
        over();
        reject(new Error(`it ended with ${code}: ${this.#tail}`));
      });
      child.stdout?.on('data', (data_: Buffer) => {
        this.#take(data_);
        if (!this.#tail.includes('Ready at')) return;
        over();
        resolve();
      });
    });
    child.stderr?.on('data', (data_: Buffer) => this.#take(data_));
    await ready;
  }

  signal(signal: 'SIGCONT' | 'SIGSTOP'): void {
    this.#child?.kill(signal);
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Asks it to end. */
  terminate(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
    this.#child = undefined;
    this.#tail = '';
  }

  #take(data: Buffer): void {
    const text = String(data);
    this.#tail = (this.#tail + text).slice(-8000);
    for (const line of text.split('\n')) {
      if (/unhandled|uncaught|failed unexpectedly|TypeError|RangeError/iu.test(line))
        this.alarms.push(line.slice(0, 2000));
    }
  }
}

function readCredentials(kubeconfig: string): ClusterCredentials {
  const text = readFileSync(kubeconfig, 'utf8');
  const field = (name: string): string => {
    const found = new RegExp(`"?${name}"?: "?([A-Za-z0-9+/=]+)`, 'u').exec(text)?.[1];
    if (found === undefined) throw new Error(`${kubeconfig} has no ${name}`);
    return Buffer.from(found, 'base64').toString();
  };
  return {
    caData: field('certificate-authority-data'),
    certData: field('client-certificate-data'),
    keyData: field('client-key-data'),
  };
}

async function findLeader(members: readonly EtcdProcess[]): Promise<number | undefined> {
  for (const [index, { endpoint }] of members.entries()) {
    try {
      const answer = await fetch(`${endpoint}/v3/maintenance/status`, {
        method: 'POST',
        body: '{}',
        signal: AbortSignal.timeout(2000),
      });
      const status: unknown = await answer.json();
      if (isLeading(status)) return index;
    } catch {
      // It is down or stopped: another one may lead.
    }
  }
  return undefined;
}

function isLeading(status: unknown): boolean {
  if (typeof status !== 'object' || status === null || !('leader' in status) || !('header' in status)) return false;
  const { leader, header } = status;
  return typeof header === 'object' && header !== null && 'member_id' in header && header.member_id === leader;
}
