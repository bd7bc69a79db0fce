/** `listwatch watch`: prints the changes of a resource of any cluster. Start here. */

import { type AbortOptions, groupKindText, groupResourceText, resource } from '@listwatch/api';
import { type Cluster, ConfigError, connect, type Discovery, discover, type ServedResource } from '@listwatch/client';
import { findResource } from '../discovery/find-resource.ts';
import type { Host } from '../host.ts';
import { painter } from '../paint.ts';
import { StartError } from '../start-error.ts';
import { changePrinter } from './change-text.ts';
import { type Connection, connectionOf } from './connection.ts';
import { explainConfigError } from './explain-config-error.ts';
import { explainNoAnswer } from './explain-refusal.ts';
import { Screen } from './screen.ts';
import { ServerWarnings } from './server-warnings.ts';
import { exitCode, WatchEnd } from './watch-end.ts';
import type { WatchFlags } from './watch-flags.ts';
import { WatchSession } from './watch-session.ts';
import { fieldsOf, resolveWatchSettings, type WatchSettings } from './watch-settings.ts';

/** Connects to the cluster; tests pass their own. */
export type Connect = (options: Connection) => Promise<Cluster>;

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` when it cannot start. */
export async function watch(flags: WatchFlags, host: Host, connectTo: Connect = connect): Promise<number> {
  const settings = resolveWatchSettings(flags);
  const connection = connectionOf(flags, host.folder);
  const end = new WatchEnd(host);
  const warnings = new ServerWarnings();
  try {
    await using cluster = await open(connectTo, { ...connection, onWarning: warnings.hear }, host);
    await run(cluster, settings, host, end, warnings);
  } catch (error) {
    if (end.reason === undefined) throw error;
  } finally {
    end.stop();
  }
  return end.reason === undefined ? 0 : exitCode(end.reason);
}

async function open(connectTo: Connect, connection: Connection, { env }: Host): Promise<Cluster> {
  try {
    return await connectTo(connection);
  } catch (error) {
    if (error instanceof ConfigError) throw new StartError(explainConfigError(error, env), { cause: error });
    throw error;
  }
}

async function run(
  cluster: Cluster,
  settings: WatchSettings,
  host: Host,
  end: WatchEnd,
  warnings: ServerWarnings,
): Promise<void> {
  let session: WatchSession | undefined;
  const screen = new Screen({
    host,
    clock: cluster.clock,
    paint: painter(host.stderr.isTerminal, host.env),
    status: settings.status ? () => session?.status() ?? `discovering the resources of ${cluster.server}` : undefined,
  });
  warnings.showOn((line) => screen.note(line));
  try {
    const { served, object } = await lookUp(cluster, settings.resource, end);
    session = sessionFor(cluster, settings, host, screen, served, object);
    await session.run(end);
  } finally {
    screen.stop();
    const version = session?.position;
    if (end.reason?.type === 'signal' && host.stderr.isTerminal && version !== undefined) {
      host.stderr.write(`ended at resourceVersion ${version}; resume with --from ${version}\n`);
    }
  }
}

function sessionFor(
  cluster: Cluster,
  settings: WatchSettings,
  host: Host,
  screen: Screen,
  served: ServedResource,
  object: string | undefined,
): WatchSession {
  const { labelSelector, from, watchOnly } = settings;
  const { namespaced } = served;
  const namespace = namespaced && !settings.allNamespaces ? (settings.namespace ?? cluster.namespace) : undefined;
  const print = changePrinter({
    format: settings.format ?? (host.stdout.isTerminal ? 'text' : 'json'),
    paint: painter(host.stdout.isTerminal, host.env),
    typeName: groupKindText({ kind: served.singular || served.kind.toLowerCase(), group: served.group }),
    allNamespaces: settings.allNamespaces,
  });
  return new WatchSession({
    cluster,
    resource: resource(served),
    subject: `${groupResourceText(served)}${namespace === undefined ? '' : ` in ${namespace}`}`,
    query: { namespace, labelSelector, fieldSelector: fieldsOf(settings, object), resourceVersion: from },
    watchOnly,
    screen,
    print,
  });
}

async function lookUp(
  cluster: Cluster,
  text: string,
  { signal }: AbortOptions,
): Promise<{ readonly served: ServedResource; readonly object: string | undefined }> {
  let all: Discovery;
  try {
    all = await discover(cluster, { signal });
  } catch (error) {
    const sentence = explainNoAnswer(error, { server: cluster.server, what: 'discover its resources' });
    if (sentence === undefined) throw error;
    throw new StartError(sentence, { cause: error });
  }
  const found = findResource(text, all.resources, all.failures);
  if (found.type === 'unknown') throw new StartError(found.message);
  return { served: found.served, object: found.object };
}
