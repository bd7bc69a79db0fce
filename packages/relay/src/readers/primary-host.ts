/** The primary's end of its readers: two sockets that only its own user can reach, and a secret that only its readers know. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '@listwatch/api';
import type { ProcessServer } from '@listwatch/server/internal';
import type { StorageCapabilities, StorageEngine } from '@listwatch/storage';
import { type PipeCounts, PipeServer } from './pipe-server.ts';
import { listenPrivately, type PrivateSocket, removeStaleSockets } from './private-socket.ts';

/** What a reader needs to know of its primary. It goes over the channel of the process, never into arguments or the environment. */
export interface ReaderTicket {
  readonly storePath: string;
  readonly requestPath: string;
  /** Base64 without padding. */
  readonly secret: string;
  readonly capabilities: StorageCapabilities;
}

export interface PrimaryHost {
  readonly ticket: ReaderTicket;
  readonly counts: PipeCounts;
  /** Ends every connection of a reader. */
  close(): void;
}

export interface PrimaryHostParts {
  readonly engine: StorageEngine;
  readonly server: Pick<ProcessServer, 'appendAudit' | 'takeReader'>;
  readonly clock: Clock;
}

const SECRET_BYTES = 32;

/** Opens the sockets. */
export async function openPrimaryHost({ engine, server, clock }: PrimaryHostParts): Promise<PrimaryHost> {
  await removeStaleSockets();
  const secret = randomBytes(SECRET_BYTES);
  const pipe = new PipeServer({ engine, clock, secret, appendLines: (lines) => server.appendAudit(lines) });
  const store = await listenPrivately((socket) => pipe.take(socket));
  let requests: PrivateSocket;
  try {
    requests = await listenPrivately((socket) => server.takeReader(socket, secret));
  } catch (error) {
    store.close();
    throw error;
  }
  const { capabilities } = engine;
  return {
    ticket: { storePath: store.path, requestPath: requests.path, secret: secret.toString('base64url'), capabilities },
    get counts() {
      return pipe.counts;
    },
    close() {
      pipe.close();
      store.close();
      requests.close();
    },
  };
}
