/** A reader process of `listwatch serve --readers`: started by its primary with the same arguments, and ended with it. */

import { join } from 'node:path';
import { backgroundClock } from '@listwatch/api';
import { linkReader } from '@listwatch/relay/internal';
import { createProcessServer } from '@listwatch/server/internal';
import type { Logger } from 'pino';
import type { Host } from '../host.ts';
import { openPki } from '../pki/pki-folder.ts';
import { servingNames } from '../pki/serving-names.ts';
import { readAuditFiles } from './audit-files.ts';
import { readCredentialFiles } from './credential-files.ts';
import { DATA_NAMES } from './data-folder.ts';
import { openAuthorization } from './open-authorization.ts';
import type { FromReader, ToReader } from './reader-messages.ts';
import type { ServeSettings } from './serve-options.ts';
import { openAuthentication } from './server-authentication.ts';
import { serverOptions, serviceAccountOptions } from './start-server.ts';

/** Resolves with the exit code when the primary or a signal has ended it. */
export async function serveReader(settings: ServeSettings, host: Host, log: Logger): Promise<number> {
  const ended = new Promise<void>((resolve) => {
    process.on('message', (message: ToReader) => {
      if (message.type === 'end') resolve();
    });
    host.onSignal(() => resolve());
  });
  // Nobody writes, and nobody ends what is held open here.
  process.on('disconnect', () => host.exit(1));
  try {
    const begin = await firstMessage();
    const close = await startReader(settings, begin, log);
    await ended;
    await close();
    return 0;
  } catch (error) {
    tell({ type: 'failed', ...failureOf(error) });
    return 1;
  } finally {
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
  const { ticket, port, seats } = begin;
  const files = readCredentialFiles(settings);
  const { options: audit } = readAuditFiles(settings);
  const pki = openPki({ folder: join(settings.data, DATA_NAMES.pki), names: servingNames(settings.bindAddress) });
  const link = linkReader(ticket, backgroundClock);
  const authentication = await openAuthentication(settings, { files, userTokenKey: pki.userTokenKey, log });
  const authorization = await openAuthorization(settings, log);
  const server = createProcessServer({
    engine: link.engine,
    reader: link.reader,
    ...serverOptions(settings),
    port,
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
  process.on('message', (message: ToReader) => {
    if (message.type !== 'metrics') return;
    server.metrics().then(
      (text) => tell({ type: 'metrics', id: message.id, text }),
      (error: unknown) => log.warn({ err: error }, 'the metrics of a reader cannot be read'),
    );
  });
  await server.listen();
  const { url, insecureUrl } = server;
  tell({ type: 'serving', address: { url, insecureUrl, host: settings.bindAddress, port: Number(new URL(url).port) } });
  return async () => {
    await server.close();
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

function tell(message: FromReader): void {
  if (process.connected) process.send?.(message);
}

function failureOf(error: unknown): Omit<Extract<FromReader, { readonly type: 'failed' }>, 'type'> {
  const facts = new Map<string, unknown>(error instanceof Error ? Object.entries(error) : []);
  const [code, port, syscall] = ['code', 'port', 'syscall'].map((name) => facts.get(name));
  return {
    message: error instanceof Error ? error.message : String(error),
    code: typeof code === 'string' ? code : undefined,
    // A reader asks its primary to listen, which says `bind` of a port that is taken.
    syscall: syscall === 'bind' ? 'listen' : typeof syscall === 'string' ? syscall : undefined,
    port: typeof port === 'number' ? port : undefined,
  };
}
