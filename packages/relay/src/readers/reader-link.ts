/** A reader's end: its storage engine, and the way of all other requests. */

import type { Clock } from '@listwatch/api';
import { forwardedConnectionHeaders, type ReaderOptions } from '@listwatch/server/internal';
import { createUpstream, type UpstreamServer } from '../pass/upstream.ts';
import { PipeEngine } from './pipe-engine.ts';
import type { ReaderTicket } from './primary-host.ts';

export interface ReaderLink {
  readonly engine: PipeEngine;
  readonly upstream: UpstreamServer;
  /** For `createProcessServer`. */
  readonly reader: ReaderOptions;
  close(): Promise<void>;
}

/** Connects when it is used. */
export function linkReader(ticket: ReaderTicket, clock: Clock): ReaderLink {
  const secret = Buffer.from(ticket.secret, 'base64url');
  const engine = new PipeEngine({ path: ticket.storePath, secret, capabilities: ticket.capabilities });
  const upstream = createUpstream({
    server: 'http://primary',
    socketPath: ticket.requestPath,
    // The client's own credentials pass, and what is known of its connection: the primary judges both.
    knowsConnection: true,
    connectionHeaders: (incoming) => forwardedConnectionHeaders(incoming, secret),
    clock,
  });
  return {
    engine,
    upstream,
    reader: {
      pass: (incoming, reply, options) => upstream.pass(incoming, reply, options),
      appendAudit: (lines) => engine.appendLines(lines),
    },
    async close() {
      upstream.close();
      await engine.close();
    },
  };
}
