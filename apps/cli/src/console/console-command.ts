/** `listwatch console`: serves the page for any cluster, on this machine only. Start here. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { painter, printable } from '@listwatch/api/internal';
import { type Cluster, connect, loadKubeconfig } from '@listwatch/client';
import { consoleAssets } from '@listwatch/console';
import { type Connection, connectionOf } from '../cluster/connection.ts';
import { type Connect, openCluster } from '../cluster/open-cluster.ts';
import { CommandEnd, exitCode } from '../command-end.ts';
import { systemErrorCode } from '../file-error.ts';
import type { Host } from '../host.ts';
import { consoleLine } from '../serve/ready-message.ts';
import { port } from '../serve/value-kind.ts';
import { StartError } from '../start-error.ts';
import { UsageError } from '../usage-error.ts';
import { clusterProblem } from './cluster-problem.ts';
import { type ConsoleDoor, openConsoleDoor } from './console-door.ts';
import type { ConsoleFlags } from './console-flags.ts';
import { clusterUpstream, type Upstream } from './console-upstream.ts';

const SECRET_BYTES = 32;

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` when it cannot start. */
export async function consoleOfCluster(flags: ConsoleFlags, host: Host, connectTo: Connect = connect): Promise<number> {
  const at = port().parse(flags.port ?? '0');
  if (at === undefined) throw new UsageError(`--port must be ${port().expected}, got ${JSON.stringify(flags.port)}`);
  const connection = connectionOf(flags, host.folder, 'listwatch-console');
  const end = new CommandEnd(host);
  try {
    await using cluster = await openCluster(connectTo, connection, host);
    const upstream = clusterUpstream(cluster.transport);
    const door = await open(cluster, flags, at, { upstream, host, context: await contextOf(connection, host) });
    const stopLinks = host.onLinkRequest(() => showLink(door, host));
    try {
      host.stdout.write(`${printable(cluster.server)} ${flags.write === true ? 'with --write' : 'for reading only'}\n`);
      showLink(door, host);
      if (flags.open === true) void openLink(door, host);
      void reportProblem(upstream, host, end.signal);
      if (!end.signal.aborted) await once(end.signal, 'abort');
    } finally {
      stopLinks();
      await door.close();
    }
  } finally {
    end.stop();
  }
  return end.reason === undefined ? 0 : exitCode(end.reason);
}

async function open(
  cluster: Cluster,
  { write }: ConsoleFlags,
  at: number,
  {
    upstream,
    host,
    context,
  }: { readonly upstream: Upstream; readonly host: Host; readonly context: string | undefined },
): Promise<ConsoleDoor> {
  try {
    return await openConsoleDoor({
      address: '127.0.0.1',
      port: at,
      upstream,
      assets: consoleAssets,
      facts: { mode: 'cluster', serverUrl: cluster.server, ...(context === undefined ? {} : { context }) },
      access: write === true ? 'write' : 'read',
      // Of this process only: with another cluster behind the door an old login must not count.
      secret: randomBytes(SECRET_BYTES),
      onError: (error) => host.stderr.write(`${printable(error instanceof Error ? error.message : String(error))}\n`),
    });
  } catch (cause) {
    const code = systemErrorCode(cause);
    if (code === undefined) throw cause;
    const why = code === 'EADDRINUSE' ? 'it is taken' : code;
    throw new StartError(`port ${at} on 127.0.0.1 cannot be used: ${why}; choose another one with --port`, { cause });
  }
}

function showLink(door: ConsoleDoor, host: Host): void {
  host.stdout.write(`${consoleLine(door.link(), painter(host.stdout.isTerminal, host.env))}\n`);
}

/** A link of its own: the arguments of a program can be read by every user of the machine. */
async function openLink(door: ConsoleDoor, host: Host): Promise<void> {
  const isOpened = await host.openLink(door.link({ forOwnUser: true }));
  if (!isOpened) host.stderr.write('no browser could be opened here: open the link yourself\n');
}

/** Beside the link, not before it: a cluster that does not answer must not keep the page away. */
async function reportProblem(upstream: Upstream, host: Host, ended: AbortSignal): Promise<void> {
  const problem = await clusterProblem(upstream);
  if (problem !== undefined && !ended.aborted) host.stderr.write(`${printable(problem)}\n`);
}

/** The name of the context; undefined with --server, and in a pod. */
async function contextOf(connection: Connection, { env }: Host): Promise<string | undefined> {
  if ('server' in connection && connection.server !== undefined) return undefined;
  const { kubeconfig: path, context } =
    'kubeconfig' in connection ? connection : { kubeconfig: undefined, context: undefined };
  return context ?? (await loadKubeconfig({ path, env }))?.currentContext;
}
