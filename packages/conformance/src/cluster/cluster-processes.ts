/** Three etcd members, three servers and perhaps relays as real processes, with a proxy on every way between them. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EtcdProcess, startEtcdCluster } from '../parts/etcd-process.ts';
import { freePorts } from '../parts/free-port.ts';
import { startTcpProxy, type TcpProxy } from '../parts/tcp-proxy.ts';
import { type ClusterCredentials, readCredentials, type TokenCredentials } from './cluster-credentials.ts';
import { startRelayChain } from './relay-chain.ts';
import type { ServerLogLine } from './server-log.ts';
import { ServerProcess, servePlan } from './server-process.ts';

const SIZE = 3;
const TOKEN = 'of-the-cluster-run';

export interface ClusterProcessesOptions {
  /** What Node runs `listwatch` with: the servers, */
  readonly command: readonly string[];
  /** and the relays. Default: there are none. */
  readonly relayCommand?: readonly string[] | undefined;
  /** Told of every line that a server writes; the relays are counted on after the servers. */
  readonly onLine?: ((server: number, line: ServerLogLine) => void) | undefined;
}

export interface ClusterProcesses extends AsyncDisposable {
  readonly members: readonly EtcdProcess[];
  /** In front of the peer port of each member. */
  readonly peers: readonly TcpProxy[];
  readonly servers: readonly ServerProcess[];
  /** A chain: the first reads from the first server, the next one from it. */
  readonly relays: readonly ServerProcess[];
  readonly credentials: ClusterCredentials | TokenCredentials;
  /** The index of the member that leads; undefined while none does. */
  leader(): Promise<number | undefined>;
}

/** Starts them all. */
export async function startClusterProcesses(options: ClusterProcessesOptions): Promise<ClusterProcesses> {
  const { command, relayCommand, onLine } = options;
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-cluster-'));
  const peers: TcpProxy[] = [];
  const proxies: TcpProxy[] = [];
  const servers: ServerProcess[] = [];
  const relays: ServerProcess[] = [];
  const starting: Promise<void>[] = [];
  let members: readonly EtcdProcess[] = [];
  const end = async (): Promise<void> => {
    await Promise.allSettled(starting);
    await Promise.all([...relays, ...servers].map((server) => server.kill()));
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
    const tokens = relayCommand === undefined ? undefined : join(folder, 'tokens.csv');
    if (tokens !== undefined) writeFileSync(tokens, `${TOKEN},admin,admin,"system:masters"\n`, { mode: 0o600 });
    for (const [index, port] of ports.entries()) {
      const toEtcd = await Promise.all(members.map((member) => startTcpProxy(member.port)));
      proxies.push(...toEtcd);
      const data = join(folder, `server-${index}`);
      mkdirSync(data);
      // One authority for all: the first server makes it.
      if (index > 0) cpSync(join(folder, 'server-0', 'pki'), join(data, 'pki'), { recursive: true });
      const plan = servePlan({ command, data, port, toEtcd, tokens, onLine: (line) => onLine?.(index, line) });
      const server = new ServerProcess(plan);
      servers.push(server);
      const started = server.start();
      if (index === 0) await started;
      else starting.push(started);
    }
    await Promise.all(starting);
    const own = readCredentials(join(folder, 'server-0', 'kubeconfig'));
    const credentials = tokens === undefined ? own : { caData: own.caData, token: TOKEN };
    if (relayCommand !== undefined) {
      const [serverPort = 0] = ports;
      const plan = { command: relayCommand, folder, serverPort, token: TOKEN, relays, proxies };
      await startRelayChain({ ...plan, onLine: (index, line) => onLine?.(SIZE + index, line) });
    }
    return {
      members,
      peers,
      servers,
      relays,
      credentials,
      leader: () => findLeader(members),
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
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
