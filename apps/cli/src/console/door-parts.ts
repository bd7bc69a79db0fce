/** What requests and WebSocket handshakes of a door share. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, unauthorized } from '@listwatch/api';
import type { ConsoleAssets } from '@listwatch/console';
import { ApiExchanges } from './api-exchanges.ts';
import type { Upstream } from './console-upstream.ts';
import { DoorConnections } from './door-connections.ts';
import { LoginCodes } from './login-codes.ts';
import { type LoginSession, LoginSessions } from './login-sessions.ts';
import type { LogoutStore } from './logout-file.ts';
import { PageFiles } from './page-files.ts';
import { isOwnUser } from './peer-user.ts';
import { AskedFacts, type KnownFacts } from './session-facts.ts';
import type { DoorAddress } from './trusted-host.ts';
import { WrittenBodies } from './written-body.ts';

/** Options of `openConsoleDoor`. */
export interface ConsoleDoorOptions extends DoorAddress {
  readonly upstream: Upstream;
  readonly assets: () => ConsoleAssets;
  readonly facts: KnownFacts;
  /** `read`: every method but GET is refused. */
  readonly access: 'read' | 'write';
  /** Signs logins. A door with the same secret and port knows those of the one before it. */
  readonly secret: Uint8Array;
  /** Where logouts are kept, when the secret is. */
  readonly logouts?: LogoutStore | undefined;
  readonly clock?: Clock | undefined;
  /** Hears why the API could not be asked. Never told of what a request contains. */
  readonly onError: (error: unknown) => void;
  /** Is the other end of a connection the user of this process? Default: as Linux says. */
  readonly isOwnUser?: ((socket: Socket) => boolean | undefined) | undefined;
}

/** The parts of one door. */
export interface DoorParts {
  readonly address: DoorAddress;
  readonly access: 'read' | 'write';
  readonly codes: LoginCodes;
  readonly sessions: LoginSessions;
  readonly connections: DoorConnections;
  readonly exchanges: ApiExchanges;
  readonly bodies: WrittenBodies;
  readonly files: PageFiles;
  readonly facts: AskedFacts;
  /** Undefined: nobody knows. */
  readonly isOwnUser: (socket: Socket) => boolean | undefined;
  readonly onError: (error: unknown) => void;
}

export function doorParts(options: ConsoleDoorOptions, clock: Clock): DoorParts {
  const { address, port, secret, access, upstream, assets, facts, logouts, onError } = options;
  const sessions = new LoginSessions({ secret, access, clock, logouts, name: `listwatch-console-${port}` });
  return {
    address: { address, port },
    access,
    sessions,
    onError,
    codes: new LoginCodes(clock),
    connections: new DoorConnections(),
    exchanges: new ApiExchanges({ upstream, sessions, onError }),
    bodies: new WrittenBodies(clock),
    files: new PageFiles(assets),
    facts: new AskedFacts(upstream, facts),
    isOwnUser: options.isOwnUser ?? isOwnUser,
  };
}

/** The login of a request with this key. Throws the 401. */
export function requireSession(
  sessions: LoginSessions,
  request: IncomingMessage,
  key: string | undefined,
): LoginSession {
  const session = sessions.check(request.headers.cookie, key);
  if (session === undefined)
    throw unauthorized('this browser is not logged in to the console, or no longer: open a new link');
  return session;
}
