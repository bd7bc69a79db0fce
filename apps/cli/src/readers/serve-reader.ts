/** A reader process of `listwatch serve --readers`: started by its primary with the same arguments, and ended with it. */

import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import { linkReader, type ReaderTicket } from '@listwatch/relay/internal';
import { createProcessServer } from '@listwatch/server/internal';
import type { Logger } from 'pino';
import type { Host } from '../host.ts';
import { openPki } from '../pki/pki-folder.ts';
import { servingNames } from '../pki/serving-names.ts';
import { readAuditFiles } from '../serve/access/audit-files.ts';
import { readCredentialFiles } from '../serve/access/credential-files.ts';
import { openAuthorization } from '../serve/access/open-authorization.ts';
import { openAuthentication } from '../serve/access/server-authentication.ts';
import { DATA_NAMES } from '../serve/data-folder.ts';
import type { ServeSettings } from '../serve/serve-options.ts';
import { serverOptions, serviceAccountOptions } from '../serve/start-server.ts';
import { ClientConnections } from './client-connections.ts';
import type { FromReader, ToReader } from './reader-messages.ts';

/** Resolves with the exit code when the primary or a signal has ended it. */
export async function serveReader(settings: ServeSettings, host: Host, log: Logger): Promise<number> {
  const ended = new Promise<void>((resolve) => {
    process.on('message', (message: ToReader) => {
      if (message.type === 'end') resolve();
    });
    host.onSignal(() => resolve());
  });
  let ticket: ReaderTicket | undefined;
  // Before the listener of `node:cluster`, which ends the process.
  process.prependListener('disconnect', () => {
    // A primary that was killed has left its sockets.
    if (ticket !== undefined) removeSockets(ticket);
    // Nobody writes, and nobody ends what is held open here.
    host.exit(1);
  });
  try {
    const begin = await firstMessage();
    ticket = begin.ticket;
    const close = await startReader(settings, begin, log);
    await ended;
    await close();
    return 0;
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
    return 1;
  } finally {
    ticket = undefined;
    process.disconnect?.();
  }
}

type Begin = Extract<ToReader, { readonly type: 'begin' }>;

function firstMessage(): Promise<Begin> {
  return new Promise((resolve) => {
    process.on('message', (message: ToReader) => {
      if (message.type === 'begin') resolve(message);
    });
    tell({ type: 'ready' });
  });
}

async function startReader(settings: ServeSettings, begin: Begin, log: Logger): Promise<() => Promise<void>> {
  const { ticket, address, seats } = begin;
  const files = readCredentialFiles(settings);
  const { options: audit } = readAuditFiles(settings);
  const pki = openPki({ folder: join(settings.data, DATA_NAMES.pki), names: servingNames(settings.bindAddress) });
  const link = linkReader(ticket, backgroundClock);
  const authentication = await openAuthentication(settings, { files, userTokenKey: pki.userTokenKey, log });
  const authorization = await openAuthorization(settings, log);
  const server = createProcessServer({
    engine: link.engine,
    reader: { ...link.reader, address },
    ...serverOptions(settings),
    maxReadsInFlight: seats.reads,
    maxMutatingInFlight: seats.mutating,
    audit: audit && {
      ...audit,
      log: audit.log && { ...audit.log, output: linesToPrimary(link.reader.appendAudit) },
    },
    tls: {
      ...(files.serving ?? pki.server),
      clientCa: [pki.ca, files.clientCa ?? ''].join('\n'),
      requestHeaderCa: files.requestHeaderCa ?? pki.frontProxyCa,
    },
    authentication: authentication.options,
    authorization: authorization.modes,
    serviceAccounts: serviceAccountOptions(settings, files, pki),
    onError: (error, request) => log.error({ err: error, ...request }, 'a request failed unexpectedly'),
  });
  const connections = new ClientConnections({
    tell,
    take: (socket, door) => server.takeClient(socket, door),
    watches: () => server.load.watches,
  });
  process.on('message', (message: ToReader, handle: unknown) => {
    if (message.type === 'connection') {
      // Without one its client has left while it was on the way.
      if (handle instanceof Socket) connections.take(message, handle);
      else tell({ type: 'taken', id: message.id });
      return;
    }
    if (message.type !== 'metrics') return;
    server.metrics().then(
      (text) => tell({ type: 'metrics', id: message.id, text }),
      (error: unknown) => log.warn({ err: error }, 'the metrics of a reader cannot be read'),
    );
  });
  await server.start();
  tell({ type: 'serving' });
  return async () => {
    await server.close();
    connections.close();
    await authentication.close();
    await authorization.close();
    await link.close();
  };
}

function linesToPrimary(append: (lines: readonly string[]) => Promise<number>): {
  open(): Promise<void>;
  append(lines: readonly string[]): Promise<{ readonly lines: number; readonly error?: Error }>;
  close(): Promise<void>;
} {
  return {
    open: async () => undefined,
    async append(lines) {
      try {
        return { lines: await append(lines) };
      } catch (error) {
        return { lines: 0, error: error instanceof Error ? error : new Error(String(error)) };
      }
    },
    close: async () => undefined,
  };
}

function removeSockets({ storePath, requestPath }: ReaderTicket): void {
  for (const path of [storePath, requestPath]) rmSync(dirname(path), { recursive: true, force: true });
}

function tell(message: FromReader): void {
  if (process.connected) process.send?.(message);
}
