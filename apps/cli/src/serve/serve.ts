/** The command `listwatch serve`: starts a server, says so, and stays until it is asked to end. */

import { join, resolve } from 'node:path';
import { type Paint, painter } from '@listwatch/api/internal';
import { createLog } from '@listwatch/runtime/log';
import { createApiServer } from '@listwatch/server';
import type { Logger } from 'pino';
import type { ConsoleDoor } from '../console/console-door.ts';
import type { EndSignal, Host } from '../host.ts';
import { packageVersion } from '../package-version.ts';
import { StartError } from '../start-error.ts';
import { UsageError } from '../usage-error.ts';
import { DATA_NAMES } from './data-folder.ts';
import { explainFailure } from './explain-failure.ts';
import { optionName } from './option-spec.ts';
import { writePrivateFile } from './private-file.ts';
import { banner, consoleLine, nextCommand, readyLine } from './ready-message.ts';
import { SETTING_NAMES, type ServeSettings } from './serve-options.ts';
import type { OptionSources } from './serve-settings.ts';
import { type ResolvedSettings, resolveSettings } from './serve-settings.ts';
import { onSignal, type ServePhase } from './signal-plan.ts';
import { type ApiServerFactory, type RunningServer, startServer } from './start-server.ts';

/** Resolves with the exit code. Throws a `UsageError` for a wrong option and a `StartError` for what stands in the way. */
export async function serve(
  flags: OptionSources['flags'],
  host: Host,
  factory: ApiServerFactory = createApiServer,
): Promise<number> {
  const resolved = resolveSettings({ flags, env: host.env });
  const settings = withAbsolutePaths(resolved.settings, host.folder);
  const paint = painter(host.stdout.isTerminal, host.env);
  const format = settings.logFormat ?? (host.stdout.isTerminal ? 'text' : 'json');
  const log = createLog({ format, verbosity: settings.verbosity, output: host.stdout, paint });
  // A few bytes of JavaScript for everybody else.
  const { isReaderProcess } = await import('../readers/reader-process.ts');
  if (isReaderProcess(settings)) {
    const { serveReader } = await import('../readers/serve-reader.ts');
    return serveReader(settings, host, log);
  }
  logSources(log, resolved);
  const signals = new SignalWatch(host);
  try {
    const server = await start(settings, log, factory);
    announce(server, { settings: resolved.settings, data: settings.data, host, log, paint, format });
    const stopLinks = host.onLinkRequest(() => announceLink(server, { data: settings.data, host, log, format }));
    const signal = await signals.first();
    stopLinks();
    log.info({ signal }, 'ending: no new requests, watches end, the rest finishes');
    await server.close();
    log.info('ended');
    return 0;
  } finally {
    signals.stop();
  }
}

async function start(settings: ServeSettings, log: Logger, factory: ApiServerFactory): Promise<RunningServer> {
  try {
    return await startServer(settings, { log, createApiServer: factory });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const sentence = explainFailure(error, settings);
    if (sentence === undefined) throw error;
    throw new StartError(sentence, { cause: error });
  }
}

/** Hears the signals from the start on: the first one while it serves is for us, any other ends the process. */
class SignalWatch {
  readonly stop: () => void;
  #phase: ServePhase = 'starting';
  #heard: (signal: EndSignal) => void = () => {};

  constructor(host: Host) {
    this.stop = host.onSignal((signal) => {
      const action = onSignal(this.#phase, signal);
      if (action.type === 'exit') return host.exit(action.code);
      this.#phase = 'draining';
      this.#heard(signal);
    });
  }

  /** From now on the server serves; resolves with the signal that asks it to end. */
  first(): Promise<EndSignal> {
    this.#phase = 'serving';
    return new Promise((heard) => {
      this.#heard = heard;
    });
  }
}

interface Announcement {
  readonly settings: ServeSettings;
  /** The data folder, absolute. */
  readonly data: string;
  readonly host: Host;
  readonly log: Logger;
  readonly paint: Paint;
  readonly format: 'text' | 'json';
}

/** Another link, for another browser or after the first has expired. */
function announceLink(
  { console: door }: RunningServer,
  { data, host, log, format }: Pick<Announcement, 'data' | 'format' | 'host' | 'log'>,
): void {
  if (door === undefined) log.warn('there is no link: the console is switched off by --console off');
  else if (format === 'json') log.info(keptLink(door, data, log), 'console: a new link');
  else host.stdout.write(`${consoleLine(door.link())}\n`);
}

/** A log is read by more people than a terminal, and kept: it gets the place of the link, which makes an administrator of its reader. */
function keptLink(
  door: Pick<ConsoleDoor, 'link' | 'url'>,
  data: string,
  log: Logger,
): { readonly console: string; readonly consoleLink?: string } {
  const consoleLink = join(data, DATA_NAMES.consoleLink);
  try {
    writePrivateFile(consoleLink, `${door.link()}\n`);
    return { console: door.url, consoleLink };
  } catch (error) {
    log.warn({ err: error }, `the link to the console cannot be written to ${consoleLink}`);
    return { console: door.url };
  }
}

function announce(server: RunningServer, { settings, data, host, log, paint, format }: Announcement): void {
  const { url, insecureUrl, kubeconfig } = server;
  const { console: door } = server;
  const readiness = { url, kubeconfig, folder: host.folder };
  if (format === 'json') {
    const link = door === undefined ? {} : keptLink(door, data, log);
    log.info({ url, insecureUrl, kubeconfig, ...link, next: nextCommand(readiness) }, readyLine(readiness));
    return;
  }
  if (host.stdout.isTerminal) host.stdout.write(`${banner(packageVersion(), settings, paint)}\n`);
  host.stdout.write(`${readyLine(readiness, paint)}\n`);
  if (door !== undefined) host.stdout.write(`${consoleLine(door.link(), paint)}\n`);
  if (insecureUrl !== undefined) log.info(`also at ${insecureUrl}, without TLS, for callers with a token`);
}

/** What was set and by whom; what nobody set is in the help. */
function logSources(log: Logger, { settings, sources }: ResolvedSettings): void {
  for (const name of SETTING_NAMES) {
    if (sources[name] === 'default') continue;
    log.debug({ option: optionName(name), value: settings[name], from: sources[name] }, 'option');
  }
}

function withAbsolutePaths(settings: ServeSettings, folder: string): ServeSettings {
  const { data, kubeconfigOut, auditLogPath } = settings;
  const isFile = auditLogPath !== undefined && auditLogPath !== '-';
  return {
    ...settings,
    data: resolve(folder, data),
    auditLogPath: isFile ? resolve(folder, auditLogPath) : auditLogPath,
    kubeconfigOut: kubeconfigOut === undefined ? undefined : resolve(folder, kubeconfigOut),
  };
}
