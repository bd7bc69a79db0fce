/** A server of several processes: one primary, which writes, and readers, which answer lists and watches. */

import type { Socket } from 'node:net';
import type { RequestGate } from '../contract/request-gate.ts';
import type { ApiServer, ApiServerOptions } from './api-server-options.ts';
import type { ClientDoor, HttpServerAddress, HttpServerLoad } from './create-http-server.ts';

/** The server that a reader belongs to. */
export interface ReaderOptions {
  /** Where the primary listens for all. Absent: this reader has a port of its own. */
  readonly address?: HttpServerAddress | undefined;
  /** Passes a request on to the primary. */
  readonly pass: RequestGate['pass'];
  /** Appends lines to the audit log of the primary, where there is one; resolves with how many were written. */
  readonly appendAudit: (lines: readonly string[]) => Promise<number>;
}

/** The readers of a primary. */
export interface PrimaryOptions {
  /** Where this process listens for its readers. */
  readonly address: () => HttpServerAddress | undefined;
  /** The metrics of each reader, in the text format of Prometheus. */
  readonly metrics: () => Promise<ReadonlyMap<string, string>>;
}

/** Options of a server that is one of several processes. */
export interface ProcessServerOptions extends ApiServerOptions {
  /** This process is a reader: it writes nothing, and answers reads of objects only. */
  readonly reader?: ReaderOptions | undefined;
  /** This process is a primary: its readers listen, and pass on to it what they do not answer. */
  readonly primary?: PrimaryOptions | undefined;
}

/** One process of a server. */
export interface ProcessServer extends ApiServer {
  /** Takes a connection of a reader, which says for whom its requests come. `secret`: what a reader says with each. */
  takeReader(socket: Socket, secret: Buffer): void;
  /** Takes a connection of a client that another process has accepted, and of which nothing has been read. */
  takeClient(socket: Socket, door: ClientDoor): void;
  readonly load: HttpServerLoad;
  /** Appends lines of a reader to the audit log. Resolves with how many were written. */
  appendAudit(lines: readonly string[]): Promise<number>;
  /** The metrics of this process, in the text format of Prometheus. */
  metrics(): Promise<string>;
}
