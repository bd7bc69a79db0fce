/** `listwatch relay`: answers lists and watches of any cluster from a cache in front of it. Start here. */

import { once } from 'node:events';
import { join } from 'node:path';
import { painter } from '@listwatch/api/internal';
import { type Cluster, clusterAddress, connect } from '@listwatch/client';
import {
  createRelay,
  createUpstream,
  JournalError,
  listenForHealth,
  type Relay,
  type RelayHealth,
} from '@listwatch/relay';
import { createLog } from '@listwatch/runtime/log';
import { connectionOf } from '../cluster/connection.ts';
import { openCluster } from '../cluster/open-cluster.ts';
import { CommandEnd, exitCode } from '../command-end.ts';
import { systemErrorCode } from '../file-error.ts';
import type { Host } from '../host.ts';
import { openServingPki } from '../pki/pki-folder.ts';
import { servingNames } from '../pki/serving-names.ts';
import { DATA_NAMES, prepareDataFolder } from '../serve/data-folder.ts';
import { StartError } from '../start-error.ts';
import { UsageError } from '../usage-error.ts';
import type { RelayFlags } from './relay-flags.ts';
import { logReady, logRelayError } from './relay-log.ts';
import { type RelaySettings, relaySettings } from './relay-settings.ts';

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` when it cannot start. */
export async function relay(flags: RelayFlags, host: Host): Promise<number> {
  const settings = relaySettings(flags, host.folder);
  const connection = connectionOf(flags, host.folder, 'listwatch-relay');
  const end = new CommandEnd(host);
  const paint = painter(host.stdout.isTerminal, host.env);
  const log = createLog({ format: settings.logFormat, output: host.stdout, paint });
  try {
    await using cluster = await openCluster(connect, connection, host);
    // Without the login of the relay: who passes must not be taken for it.
    const { servers, tls, proxy } = await clusterAddress(connection);
    if (proxy !== undefined)
      throw new StartError(`the relay cannot reach its cluster through a proxy (proxy-url ${proxy})`);
    const [server = cluster.server] = servers;
    const upstream = createUpstream({ server, tls: upstreamTls(tls) });
    const { serving, authority } = servingOf(settings);
    const made = await make(cluster, {
      ...settings,
      upstream,
      tls: serving,
      onError: (error, where) => logRelayError(log, error, where),
    });
    let health: RelayHealth | undefined;
    try {
      await at(`port ${settings.port} on ${settings.host}`, '--port', () => made.listen());
      const { health: place } = settings;
      if (place !== undefined) {
        const where = `${place.host}:${place.port}`;
        health = await at(where, '--health-address', () => listenForHealth(made, place));
      }
      log.info({ kinds: settings.kinds }, `relay on ${made.url} in front of ${server}`);
      if (authority !== undefined) log.info(`clients trust ${authority}`);
      if (health !== undefined) log.info(`health and metrics on ${health.url}`);
      void ready(made, log, end.signal);
      if (!end.signal.aborted) await once(end.signal, 'abort');
      if (end.reason?.type === 'signal')
        log.info({ signal: end.reason.signal }, 'ending: no new requests, watches end, the rest finishes');
    } finally {
      await health?.close();
      await made.close();
      upstream.close();
    }
  } finally {
    end.stop();
  }
  return end.reason === undefined ? 0 : exitCode(end.reason);
}

async function make(cluster: Cluster, options: Omit<Parameters<typeof createRelay>[0], 'cluster'>): Promise<Relay> {
  try {
    return await createRelay({ ...options, cluster });
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--kinds: ${error.message}`);
    if (error instanceof JournalError) throw new StartError(`--journal: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Tells once which kinds have been loaded, and why others pass. */
async function ready(made: Relay, log: ReturnType<typeof createLog>, ended: AbortSignal): Promise<void> {
  await made.start();
  if (!ended.aborted) logReady(log, made.state);
}

async function at<T>(where: string, option: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === undefined) throw cause;
    const why = code === 'EADDRINUSE' ? 'it is taken' : code;
    throw new StartError(`${where} cannot be used: ${why}; choose another one with ${option}`, { cause });
  }
}

/** The same object until something changes: the pool of connections is kept by it. */
function upstreamTls(
  tls: Awaited<ReturnType<typeof clusterAddress>>['tls'],
): () => Promise<{ readonly ca?: string; readonly servername?: string; readonly rejectUnauthorized: boolean }> {
  let last: { text: string; value: { ca?: string; servername?: string; rejectUnauthorized: boolean } } | undefined;
  return async () => {
    const { ca, serverName, insecure } = await tls();
    const value = {
      ...(ca === undefined ? {} : { ca }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      rejectUnauthorized: insecure !== true,
    };
    const text = JSON.stringify(value);
    if (last?.text !== text) last = { text, value };
    return last.value;
  };
}

/** The certificate that was given, or one that is made; then the file of its authority is told. */
function servingOf(settings: RelaySettings): {
  readonly serving: { readonly cert: string; readonly key: string };
  readonly authority: string | undefined;
} {
  if (settings.serving !== undefined) return { serving: settings.serving, authority: undefined };
  // Whoever can put a key there would be taken for the relay, and gets the tokens of its clients.
  prepareDataFolder(settings.data);
  const folder = join(settings.data, DATA_NAMES.pki);
  const { server } = openServingPki({ folder, names: servingNames(settings.host) });
  return { serving: server, authority: join(folder, 'ca.crt') };
}
