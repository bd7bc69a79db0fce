/** Relays in front of a server of a cluster, one behind the other, each with its journal. */

import { join } from 'node:path';
import { freePorts } from '../parts/free-port.ts';
import { startTcpProxy, type TcpProxy } from '../parts/tcp-proxy.ts';
import { RELAYS } from './fault-plan.ts';
import type { ServerLogLine } from './server-log.ts';
import { ServerProcess } from './server-process.ts';

const CACHED = 'listwatch_relay_cached_requests_total';

export interface RelayChainPlan {
  /** What Node runs `listwatch` with. */
  readonly command: readonly string[];
  /** Of the cluster: the relays serve with the certificate of its first server, so that one authority is enough. */
  readonly folder: string;
  /** Of the server that the first one reads from. */
  readonly serverPort: number;
  readonly token: string;
  /** What was started is added to these at once: somebody else ends it, also when the start fails. */
  readonly relays: ServerProcess[];
  readonly proxies: TcpProxy[];
  readonly onLine: (relay: number, line: ServerLogLine) => void;
}

/** Starts the first one, then the next. */
export async function startRelayChain(plan: RelayChainPlan): Promise<void> {
  const { command, folder, token, relays, proxies, onLine } = plan;
  const pki = join(folder, 'server-0', 'pki');
  let behind = plan.serverPort;
  for (let index = 0; index < RELAYS; index += 1) {
    const [port = 0, health = 0] = await freePorts(2);
    const way = await startTcpProxy(behind);
    proxies.push(way);
    const upstream = ['--server', `https://127.0.0.1:${way.port}`, '--certificate-authority', join(pki, 'ca.crt')];
    const serving = ['--tls-cert-file', join(pki, 'server.crt'), '--tls-private-key-file', join(pki, 'server.key')];
    const places = ['--port', String(port), '--health-address', `127.0.0.1:${health}`];
    const journal = ['--journal', join(folder, `relay-${index}`)];
    const relay = new ServerProcess({
      command,
      flags: ['relay', '--kinds', 'configmaps', ...upstream, '--token', token, ...serving, ...places, ...journal],
      port,
      toUpstream: [way],
      ready: 'kinds are answered from the cache',
      // As the shell says it of a program that SIGTERM ended.
      endCode: 143,
      metrics: `http://127.0.0.1:${health}/metrics`,
      onLine: (line) => onLine(index, line),
    });
    relays.push(relay);
    await relay.start();
    behind = port;
  }
}

/** Relays that pass everything on keep every promise, too: how many reads each one answered itself in this life. */
export async function cachedReads(relay: ServerProcess): Promise<number> {
  const text = await relay.metrics();
  const lines = text.split('\n').filter((line) => line.startsWith(CACHED));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
