/** One connection to a port of a pod. */

import { type AbortOptions, resource, resourcePath } from '@listwatch/api';
import type { ObjectTarget } from '../cluster.ts';
import { withQuery } from '../request/list-path.ts';
import { namedFailure, type RequestSubject } from '../request/named-failure.ts';
import { checkOptionNames, type OptionNames } from '../request/option-names.ts';
import { TARGET_NAMES } from '../request/request-options.ts';
import type { MessageSocket } from '../transport/message-socket.ts';
import { TransportError } from '../transport/transport-error.ts';
import { type ByteStream, IncomingBytes } from './byte-stream.ts';
import { channelMessage } from './channel-protocol.ts';
import { openMessages, type StreamCluster } from './open-messages.ts';
import { type ByteSink, OutgoingBytes } from './outgoing-bytes.ts';
import { PORT_CHANNEL, PORT_PROTOCOLS, PORT_START, type PortState, stepPort } from './port-protocol.ts';
import { StreamError } from './stream-error.ts';
import { UnreadBytes } from './unread-bytes.ts';

/** Options of `connectPort`. */
export interface ConnectPortOptions extends AbortOptions {
  /** The port in the pod. */
  readonly port: number;
}

/**
 * A connection to a port of a pod. It ends when the pod ends it; `incoming` throws `PORT_FAILED` when the pod does not take it.
 * The protocol cannot end one direction alone: there is `close`, and no end of `outgoing`.
 */
export interface PortConnection extends AsyncDisposable {
  readonly incoming: ByteStream;
  readonly outgoing: Pick<ByteSink, 'write'>;
  close(): void;
}

const CONNECT_PORT_NAMES: OptionNames<ConnectPortOptions> = { signal: true, port: true };
/** One stream: it is held back long before. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024;

const pods = resource({ version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true });
const portForward = resource({
  version: 'v1',
  plural: 'pods/portforward',
  kind: 'PodPortForwardOptions',
  namespaced: true,
});

/** Connects to a port of a pod. Rejects as `exec`. */
export async function connectPort(
  cluster: StreamCluster,
  target: ObjectTarget,
  options: ConnectPortOptions,
): Promise<PortConnection> {
  checkOptionNames('connectPort', target, TARGET_NAMES);
  checkOptionNames('connectPort', options, CONNECT_PORT_NAMES);
  const { port, signal } = options;
  checkPort('port', port, 1);
  const { name, namespace = cluster.namespace } = target;
  const subject: RequestSubject = { verb: 'get', resource: portForward, server: cluster.server, namespace, name };
  const path = withQuery(resourcePath(pods, { namespace, name, subresource: 'portforward' }), `ports=${port}`);
  const socket = await openMessages(cluster, { path, protocols: PORT_PROTOCOLS, subject, signal });
  return new SocketPortConnection({ socket, port, signal, named: (error) => namedFailure(error, subject) });
}

/** Throws a `RangeError` for what is no port. */
export function checkPort(option: string, port: number, least: 0 | 1): void {
  if (Number.isInteger(port) && port >= least && port <= 65_535) return;
  throw new RangeError(`${option} must be a port from ${least} to 65535, not ${port}`);
}

interface PortConnectionParts {
  readonly socket: MessageSocket;
  readonly port: number;
  readonly signal: AbortSignal | undefined;
  readonly named: (error: unknown) => unknown;
}

class SocketPortConnection implements PortConnection {
  readonly incoming: IncomingBytes;
  readonly outgoing: OutgoingBytes;
  readonly #parts: PortConnectionParts;
  readonly #unread: UnreadBytes;
  #state: PortState = PORT_START;
  #over: { readonly reason: unknown } | undefined;

  constructor(parts: PortConnectionParts) {
    const { socket, signal } = parts;
    this.#parts = parts;
    this.incoming = new IncomingBytes('incoming', () => this.#look());
    this.#unread = new UnreadBytes(socket, { incoming: this.incoming }, MAX_UNREAD_BYTES);
    this.outgoing = new OutgoingBytes({
      name: 'outgoing',
      send: (piece) => socket.send(channelMessage(PORT_CHANNEL.data, piece)),
      end: undefined,
      over: () => this.#over?.reason,
    });
    signal?.addEventListener('abort', this.#abort, { once: true });
    socket.start({ onMessage: (message) => this.#receive(message), onClose: (error) => this.#closed(error) });
    if (signal?.aborted === true) this.#abort();
  }

  close(): void {
    this.#end(new TransportError('CLIENT_CLOSED', 'the connection was closed by its own close()'));
    this.#parts.socket.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  readonly #abort = (): void => {
    this.#end(this.#parts.signal?.reason);
    this.#parts.socket.destroy();
  };

  #receive(message: Uint8Array): void {
    if (this.#over !== undefined) return;
    const { state, bytes } = stepPort(this.#state, message);
    this.#state = state;
    if (bytes !== undefined) this.incoming.push(bytes);
    if (state.error !== '') {
      const text = `port ${this.#parts.port}: ${state.error.trim()}`;
      this.#end(new StreamError('PORT_FAILED', text));
      this.#parts.socket.destroy();
    } else this.#look();
  }

  #look(): void {
    if (this.#over !== undefined) return;
    const error = this.#unread.look();
    if (error === undefined) return;
    this.#end(error);
    this.#parts.socket.destroy();
  }

  #closed(error: TransportError | undefined): void {
    if (this.#over !== undefined) return;
    if (error !== undefined) {
      this.#end(this.#parts.named(error));
      return;
    }
    this.#finish(new TransportError('CLOSED', 'the pod has ended the connection'));
    this.incoming.end();
  }

  #end(reason: unknown): void {
    if (this.#over !== undefined) return;
    this.#finish(reason);
    this.incoming.fail(reason);
  }

  #finish(reason: unknown): void {
    this.#over = { reason };
    this.#parts.signal?.removeEventListener('abort', this.#abort);
  }
}
