/** The console of `listwatch serve`. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { consoleAssets } from '@listwatch/console';
import type { ApiServer } from '@listwatch/server';
import type { Logger } from 'pino';
import { systemErrorCode } from '../file-error.ts';
import { DATA_NAMES } from '../serve/data-folder.ts';
import { createPrivateFile, readIfExists, writePrivateFile } from '../serve/private-file.ts';
import type { ServeSettings } from '../serve/serve-options.ts';
import { StartError } from '../start-error.ts';
import { type ConsoleDoor, openConsoleDoor } from './console-door.ts';
import { serverUpstream } from './console-upstream.ts';
import { CONSOLE_USERS } from './console-user.ts';
import type { ConsoleDoorOptions } from './door-parts.ts';
import { logoutFile } from './logout-file.ts';
import { type DoorAddress, isLoopback } from './trusted-host.ts';

const SECRET_BYTES = 32;
/** Not the one after --port: there a second server may want to listen. */
const PREFERRED_PORT = 6480;

/** What it needs to know. */
type ConsoleSettings = Pick<ServeSettings, 'console' | 'consoleAccess' | 'data' | 'port'>;

/** Opens it beside a server that serves. Throws a `StartError` when the address that was asked for cannot be used. */
export async function openServerConsole(
  server: Pick<ApiServer, 'handle' | 'url'>,
  { settings, log }: { readonly settings: ConsoleSettings; readonly log: Logger },
): Promise<ConsoleDoor | undefined> {
  const { console: choice, consoleAccess, data } = settings;
  if (choice.type === 'off') return undefined;
  const onError = (error: unknown): void =>
    log.warn(`console: ${error instanceof Error ? error.message : String(error)}`);
  const user = CONSOLE_USERS[consoleAccess];
  const options = {
    upstream: serverUpstream(server, user),
    assets: consoleAssets,
    facts: { mode: 'server', serverUrl: server.url, user: user.name },
    access: consoleAccess,
    secret: consoleSecret(join(data, DATA_NAMES.pki, 'console.key')),
    logouts: logoutFile(join(data, DATA_NAMES.pki, 'console.logouts'), onError),
    onError,
  } satisfies Omit<ConsoleDoorOptions, keyof DoorAddress>;
  if (choice.type === 'on') return openAnywhere(settings.port, options, log);
  const { address, port } = choice;
  if (!isLoopback(address))
    log.warn({ address }, 'the console is served without TLS: whoever can read this network can read its logins');
  try {
    return await openConsoleDoor({ ...options, address, port });
  } catch (error) {
    const why = systemErrorCode(error) === 'EADDRINUSE' ? 'it is taken' : String(error);
    throw new StartError(
      `the console cannot be served at ${address}:${port}: ${why}; choose another place with --console`,
      {
        cause: error,
      },
    );
  }
}

/** Nobody asked for this port: when it is taken, any other one does. With `--port 0` it is not even tried. */
async function openAnywhere(
  port: number,
  options: Omit<ConsoleDoorOptions, keyof DoorAddress>,
  log: Logger,
): Promise<ConsoleDoor> {
  const address = '127.0.0.1';
  const next = port === 0 ? 0 : PREFERRED_PORT;
  try {
    return await openConsoleDoor({ ...options, address, port: next });
  } catch (error) {
    if (systemErrorCode(error) !== 'EADDRINUSE') throw error;
    log.debug({ port: next }, 'the port of the console is taken: it takes any free one');
    return openConsoleDoor({ ...options, address, port: 0 });
  }
}

/** Made once: a browser that is logged in stays so while the server restarts. Whoever reads it has the admin's key beside it. */
function consoleSecret(path: string): Buffer {
  const known = Buffer.from(readIfExists(path) ?? '', 'base64url');
  if (known.length === SECRET_BYTES) return known;
  const secret = randomBytes(SECRET_BYTES);
  const text = secret.toString('base64url');
  if (!createPrivateFile(path, text)) writePrivateFile(path, text);
  return secret;
}
