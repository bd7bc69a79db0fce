/** What a reader process tells its primary of the connection of a client: TLS ends at the reader. */

import { timingSafeEqual } from 'node:crypto';
import type { ClientCertificate, IncomingRequest } from '../contract/incoming-request.ts';

/** On connections of readers only; anywhere else it means nothing. */
export const CONNECTION_HEADER = 'x-listwatch-connection';

/** The end of a connection at a reader. */
export interface ForwardedConnection {
  readonly peer?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
}

/** Names and values in turn. The secret says that a reader of this very server speaks. */
export function forwardedConnectionHeaders(incoming: IncomingRequest, secret: Buffer): readonly string[] {
  const connection: ForwardedConnection = { peer: incoming.peer?.(), certificate: incoming.certificate() };
  const facts = Buffer.from(JSON.stringify(connection)).toString('base64url');
  return [CONNECTION_HEADER, `${secret.toString('base64url')}.${facts}`];
}

/** Undefined: whoever sent it does not know the secret, or says nothing that a reader says. */
export function readForwardedConnection(value: string | undefined, secret: Buffer): ForwardedConnection | undefined {
  const [shown = '', facts = '', ...rest] = value?.split('.') ?? [];
  const given = Buffer.from(shown, 'base64url');
  if (rest.length > 0 || given.length !== secret.length || !timingSafeEqual(given, secret)) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this program knows the secret
  return JSON.parse(Buffer.from(facts, 'base64url').toString()) as ForwardedConnection;
}
