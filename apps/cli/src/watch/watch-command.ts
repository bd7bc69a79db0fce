/** `listwatch watch`: prints the changes of a resource of any cluster. Start here. */

import { type AbortOptions, groupKindText, groupResourceText, resource } from '@listwatch/api';
import { painter } from '@listwatch/api/internal';
import { type Cluster, connect, type Discovery, discover, type ServedResource } from '@listwatch/client';
import { connectionOf } from '../cluster/connection.ts';
import { explainNoAnswer } from '../cluster/explain-refusal.ts';
import { type Connect, openCluster } from '../cluster/open-cluster.ts';
import { ServerWarnings } from '../cluster/server-warnings.ts';
import { CommandEnd, exitCode } from '../command-end.ts';
import { findResource } from '../discovery/find-resource.ts';
import type { Host } from '../host.ts';
import { StartError } from '../start-error.ts';
import { Screen } from '../terminal/screen.ts';
import { changePrinter } from './change-text.ts';
import type { WatchFlags } from './watch-flags.ts';
import { WatchSession } from './watch-session.ts';
import { fieldsOf, resolveWatchSettings, type WatchSettings } from './watch-settings.ts';

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` when it cannot start. */
export async function watch(flags: WatchFlags, host: Host, connectTo: Connect = connect): Promise<number> {
  const settings = resolveWatchSettings(flags);
  const connection = connectionOf(flags, host.folder, 'listwatch-watch');
  const end = new CommandEnd(host);
  const warnings = new ServerWarnings();
  try {
    await using cluster = await openCluster(connectTo, { ...connection, onWarning: warnings.hear }, host);
    await run(cluster, settings, host, end, warnings);
  } catch (error) {
    if (end.reason === undefined) throw error;
  } finally {
    end.stop();
  }
  return end.reason === undefined ? 0 : exitCode(end.reason);
}

async function run(
  cluster: Cluster,
  settings: WatchSettings,
  host: Host,
  end: CommandEnd,
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
