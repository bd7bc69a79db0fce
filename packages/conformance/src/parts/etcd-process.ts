/** A real etcd as a child process. Start at {@link startEtcd} or {@link startEtcdCluster}. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanEnvironment, type EtcdBinary, requireEtcd } from './etcd-binary.ts';
import { freePorts } from './free-port.ts';

/** How to start it. */
export interface EtcdStartOptions {
  /** More flags, for example `--grpc-keepalive-min-time=100ms`. */
  readonly flags?: readonly string[] | undefined;
  /** Paths of PEM files: etcd then speaks TLS to its clients, and asks them for a certificate if `clientCa` is given. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string | undefined } | undefined;
  /** Default: what `requireEtcd` finds. */
  readonly binary?: EtcdBinary | undefined;
  /** The port under which the other members reach the peer port of a member: that of a proxy. Default: the port itself. */
  readonly advertisedPeer?: ((peer: number) => Promise<number>) | undefined;
}

/** One running member. */
export interface EtcdProcess {
  readonly name: string;
  readonly version: string;
  /** For clients: `http://127.0.0.1:port`, or https with TLS. */
  readonly endpoint: string;
  /** For the other members. */
  readonly peerUrl: string;
  readonly port: number;
  /** What `restart` begins with: a test may replace it while the member does not run. */
  readonly dataFolder: string;
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  /** Ends it politely, then not, and removes its data. */
  stop(): Promise<void>;
  /** Stops or continues the process, as a disk that hangs would. */
  signal(signal: 'SIGCONT' | 'SIGSTOP'): void;
  /** SIGKILL: as a power failure would, but for what the kernel still writes. */
  kill(): Promise<void>;
  /** Starts it again after `kill`, on the same ports and data. Resolves when it serves. */
  restart(): Promise<void>;
  /** Resolves when it serves: a leader is known and a write could be made. */
  ready(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface MemberPlan {
  readonly name: string;
  readonly client: number;
  readonly peer: number;
  /** As the other members reach `peer`. */
  readonly advertised: number;
  readonly metrics: number;
}

const READY_TIMEOUT_MS = 30_000;
const LOG_TAIL_BYTES = 4000;

/** So that a test run that is interrupted leaves none behind. */
const running = new Set<ChildProcess>();
process.on('exit', killAll);
process.once('SIGTERM', () => {
  killAll();
  process.exit(143);
});

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts one etcd on free loopback ports with a folder of its own, and waits until it serves. */
export async function startEtcd(options: EtcdStartOptions = {}): Promise<EtcdProcess> {
  const [member] = await startEtcdCluster(1, options);
  if (member === undefined) throw new Error('a cluster of one has a member');
  return member;
}

/** Starts a cluster of `size` members on loopback, and waits until all serve. */
export async function startEtcdCluster(size: number, options: EtcdStartOptions = {}): Promise<readonly EtcdProcess[]> {
  const binary = options.binary ?? requireEtcd();
  for (let attempt = 1; ; attempt += 1) {
    const members = await plan(size, options);
    const cluster = members.map(({ name, advertised }) => `${name}=http://127.0.0.1:${advertised}`).join(',');
    const processes = members.map((member) => new Member(binary, member, cluster, options));
    try {
      await Promise.all(processes.map((member) => member.restart()));
      return processes;
    } catch (error) {
      await Promise.all(processes.map((member) => member.stop()));
      // The ports were free a moment ago; on a busy machine somebody may have been faster.
      if (attempt === 3 || !String(error).includes('address already in use')) throw error;
    }
  }
}

/** Starts another member of a running cluster of plain HTTP, and waits until it serves. */
export async function joinEtcdCluster(
  members: readonly EtcdProcess[],
  options: EtcdStartOptions = {},
): Promise<EtcdProcess> {
  const [first] = members;
  const [free] = await plan(1, options);
  if (first === undefined || free === undefined) throw new Error('there is no cluster to join');
  const name = `joined-${free.peer}`;
  const peerUrl = `http://127.0.0.1:${free.advertised}`;
  await askEtcd(first, 'cluster/member/add', { peerURLs: [peerUrl] });
  const cluster = [...members.map((member) => `${member.name}=${member.peerUrl}`), `${name}=${peerUrl}`].join(',');
  const flags = [...(options.flags ?? []), '--initial-cluster-state=existing'];
  const member = new Member(options.binary ?? requireEtcd(), { ...free, name }, cluster, { ...options, flags });
  await member.restart();
  return member;
}

/** Asks a member by the JSON of its gateway: `maintenance/defragment`. Rejects with what it says. */
export async function askEtcd({ endpoint }: EtcdProcess, call: string, body: object = {}): Promise<unknown> {
  const answer = await fetch(`${endpoint}/v3/${call}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd's ${call} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function plan(size: number, { advertisedPeer }: EtcdStartOptions): Promise<readonly MemberPlan[]> {
  const ports = await freePorts(3 * size);
  const members: MemberPlan[] = [];
  for (let i = 0; i < size; i += 1) {
    const [client = 0, peer = 0, metrics = 0] = ports.slice(3 * i, 3 * i + 3);
    members.push({ name: `m${i}`, client, peer, advertised: (await advertisedPeer?.(peer)) ?? peer, metrics });
  }
  return members;
}

class Member implements EtcdProcess {
  readonly name: string;
  readonly version: string;
  readonly endpoint: string;
  readonly peerUrl: string;
  readonly port: number;
  readonly dataFolder: string;
  readonly #command: readonly [string, readonly string[]];
  readonly #health: string;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(
    binary: EtcdBinary,
    { name, client, peer, advertised, metrics }: MemberPlan,
    cluster: string,
    options: EtcdStartOptions,
  ) {
    const { tls, flags = [] } = options;
    this.name = name;
    this.version = binary.version;
    this.port = client;
    this.endpoint = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${client}`;
    this.peerUrl = `http://127.0.0.1:${advertised}`;
    this.dataFolder = mkdtempSync(join(tmpdir(), 'listwatch-etcd-'));
    this.#health = `http://127.0.0.1:${metrics}/health`;
    const secure = tls === undefined ? [] : [`--cert-file=${tls.cert}`, `--key-file=${tls.key}`];
    const certified = tls?.clientCa === undefined ? [] : ['--client-cert-auth', `--trusted-ca-file=${tls.clientCa}`];
    this.#command = [
      binary.path,
      [
        `--name=${name}`,
        `--data-dir=${this.dataFolder}`,
        `--listen-client-urls=${this.endpoint}`,
        `--advertise-client-urls=${this.endpoint}`,
        `--listen-peer-urls=http://127.0.0.1:${peer}`,
        `--initial-advertise-peer-urls=http://127.0.0.1:${advertised}`,
        `--initial-cluster=${cluster}`,
        // Health is asked for here, so that TLS and authentication do not stand in the way.
        `--listen-metrics-urls=http://127.0.0.1:${metrics}`,
        '--logger=zap',
        '--log-level=warn',
        ...secure,
        ...certified,
        ...flags,
      ],
    ];
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async restart(): Promise<void> {
    if (this.#child === undefined) {
      const [path, flags] = this.#command;
      const child = spawn(path, flags, { env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] });
      this.#child = child;
      running.add(child);
      child.stderr?.on('data', (data: Buffer) => {
        this.#log = (this.#log + data.toString()).slice(-LOG_TAIL_BYTES);
      });
      child.once('close', () => {
        running.delete(child);
        if (this.#child === child) this.#child = undefined;
      });
    }
    await this.ready();
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    while (!(await this.#healthy())) {
      if (this.#child === undefined) throw new Error(`etcd ended before it was ready: ${this.#log}`);
      if (performance.now() > deadline)
        throw new Error(`etcd was not ready after ${READY_TIMEOUT_MS} ms: ${this.#log}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  signal(signal: 'SIGCONT' | 'SIGSTOP'): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child !== undefined) {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const impatience = setTimeout(() => child.kill('SIGKILL'), 3000);
      await closed;
      clearTimeout(impatience);
    }
    rmSync(this.dataFolder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #healthy(): Promise<boolean> {
    try {
      const response = await fetch(this.#health, { signal: AbortSignal.timeout(2000) });
      return response.ok && (await response.text()).includes('"health":"true"');
    } catch {
      return false;
    }
  }
}
