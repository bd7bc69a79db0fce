/** The controllers that run beside the server, in its process. */

import type { RunningControllers, ServerAddress } from '@listwatch/controllers';
import type { ApiServer } from '@listwatch/server';
import type { Logger } from 'pino';
import { UsageError } from '../usage-error.ts';
import { advertisedAddress } from './advertised-address.ts';
import type { ServeSettings } from './serve-options.ts';

/** What they are told. */
export interface ServerControllersOptions {
  readonly settings: ServeSettings;
  readonly log: Logger;
  /** The authority of the server's certificate, PEM. */
  readonly caBundle: string;
}

/** Throws a `UsageError` for a name that no controller has. The default is not worth loading them for. */
export async function checkControllerNames({ controllers }: ServeSettings): Promise<void> {
  if (controllers.every((name) => name === '*' || name === '-*')) return;
  const { CONTROLLER_NAMES, ControllerNameError, selectControllers } = await import('@listwatch/controllers');
  try {
    selectControllers(controllers, CONTROLLER_NAMES);
  } catch (error) {
    throw error instanceof ControllerNameError ? new UsageError(`--controllers: ${error.message}`) : error;
  }
}

/** Starts them in the background: a server that serves need not wait. What goes wrong is logged and never ends the process. */
export class ServerControllers {
  #running: RunningControllers | undefined;
  #metrics: ((running: RunningControllers) => string) | undefined;
  #started: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** The metrics of those that run. */
  readonly metrics = (): string => (this.#running === undefined ? '' : (this.#metrics?.(this.#running) ?? ''));

  start(server: ApiServer, { settings, log, caBundle }: ServerControllersOptions): void {
    this.#started = this.#start(server, { settings, log, caBundle }).catch((error: unknown) => {
      log.error({ err: error }, 'the controllers could not be started');
    });
  }

  /** Resolves when nothing of them runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running === undefined) await this.#started;
    await this.#running?.close();
  }

  async #start(server: ApiServer, { settings, log, caBundle }: ServerControllersOptions): Promise<void> {
    if (settings.controllers.every((name) => name.startsWith('-'))) return;
    // Loaded only now: they would make every start slower.
    const { controllersMetrics, startLoopbackControllers } = await import('@listwatch/controllers');
    if (this.#isClosed) return;
    // Other servers may share an etcd; a folder or the memory belongs to one.
    const isShared = settings.storage === 'etcd';
    this.#metrics = controllersMetrics;
    this.#running = startLoopbackControllers(server, {
      controllers: settings.controllers,
      caBundle,
      advertise: addressOf(server, settings),
      leaderElection: isShared,
      namespaceGraceMs: isShared ? undefined : 0,
      logger: log,
    });
  }
}

/** The port is the one that the server got, which --port 0 leaves open. */
function addressOf({ url }: ApiServer, settings: ServeSettings): ServerAddress | undefined {
  const ip = advertisedAddress(settings);
  const port = Number(new URL(url).port || 443);
  return ip === undefined ? undefined : { ip, port };
}
