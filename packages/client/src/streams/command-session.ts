/** A command that runs in a container, or a container that one is attached to. */

import { StatusError } from '@listwatch/api';
import type { MessageSocket } from '../transport/message-socket.ts';
import { TransportError } from '../transport/transport-error.ts';
import { type ByteStream, IncomingBytes, type ReadAllOptions } from './byte-stream.ts';
import {
  CHANNEL,
  type ChannelState,
  type ChannelVersion,
  channelMessage,
  closeMessage,
  commandEnd,
  type OutputChannel,
  resizeMessage,
  startChannels,
  stepChannels,
  type TerminalSize,
} from './channel-protocol.ts';
import { type ByteSink, OutgoingBytes } from './outgoing-bytes.ts';
import { UnreadBytes } from './unread-bytes.ts';

/** How a command ended. */
export interface CommandExit {
  /** 0: it says that all went well. */
  readonly code: number;
}

/** How a command ended, and all that it wrote. */
export interface CommandOutput extends CommandExit {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A command in a container. Its streams share one connection: the container is held back while they are not read. `close`, the end
 * of `await using`, and the signal cut the connection; what becomes of the command then is the container's matter.
 */
export interface CommandSession extends AsyncDisposable {
  /** Ended from the beginning when it was not asked for. */
  readonly stdin: ByteSink;
  readonly stdout: ByteStream;
  /** Empty with a terminal: that writes everything to stdout. */
  readonly stderr: ByteStream;
  /** Tells the terminal its size. Of many in a row the last one counts. */
  resize(size: TerminalSize): void;
  /**
   * How the command ended: any exit code is a value. Throws away what nobody reads. Rejects with a `StatusError` when the command
   * could not be run, a `TransportError` when the connection broke before its end, or the signal's reason.
   */
  wait(): Promise<CommandExit>;
  /** How the command ended and all that it wrote. Rejects as `wait`, and with `TOO_LARGE`. */
  output(options?: ReadAllOptions): Promise<CommandOutput>;
  close(): void;
}

export interface CommandSessionParts {
  readonly socket: MessageSocket;
  readonly version: ChannelVersion;
  readonly signal: AbortSignal | undefined;
  readonly maxUnreadBytes: number;
  /** Puts the name of the request into an error. */
  readonly named: (error: unknown) => unknown;
}

export class SocketCommandSession implements CommandSession {
  readonly stdin: OutgoingBytes;
  readonly stdout: IncomingBytes;
  readonly stderr: IncomingBytes;
  readonly #parts: CommandSessionParts;
  readonly #unread: UnreadBytes;
  readonly #exit: Promise<CommandExit>;
  #settle: { readonly resolve: (exit: CommandExit) => void; readonly reject: (error: unknown) => void } | undefined;
  #state: ChannelState;
  #over: { readonly reason: unknown } | undefined;
  #size: TerminalSize | undefined;
  #isResizing = false;

  constructor(parts: CommandSessionParts) {
    const { socket, version, signal, maxUnreadBytes } = parts;
    this.#parts = parts;
    this.#state = startChannels(version);
    this.#exit = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Told by the streams, too: nobody has to wait for it.
    this.#exit.catch(() => {});
    const look = (): void => this.#look();
    this.stdout = new IncomingBytes('stdout', look);
    this.stderr = new IncomingBytes('stderr', look);
    this.#unread = new UnreadBytes(socket, { stdout: this.stdout, stderr: this.stderr }, maxUnreadBytes);
    this.stdin = new OutgoingBytes({
      name: 'stdin',
      send: (piece) => socket.send(channelMessage(CHANNEL.stdin, piece)),
      end: version === 5 ? () => socket.send(closeMessage(CHANNEL.stdin)) : undefined,
      over: () => this.#over?.reason,
    });
    signal?.addEventListener('abort', this.#abort, { once: true });
    socket.start({ onMessage: (message) => this.#receive(message), onClose: (error) => this.#closed(error) });
    if (signal?.aborted === true) this.#abort();
  }

  resize(size: TerminalSize): void {
    for (const value of [size.columns, size.rows]) {
      if (!Number.isInteger(value) || value < 1 || value > 65_535) {
        throw new RangeError(`a terminal has from 1 to 65535 columns and rows, not ${value}`);
      }
    }
    this.#size = { columns: size.columns, rows: size.rows };
    if (!this.#isResizing) void this.#sendSizes();
  }

  wait(): Promise<CommandExit> {
    this.stdout.dropUnlessTaken();
    this.stderr.dropUnlessTaken();
    return this.#exit;
  }

  async output(options?: ReadAllOptions): Promise<CommandOutput> {
    try {
      const [stdout, stderr] = await Promise.all([this.stdout.text(options), this.stderr.text(options)]);
      return { ...(await this.#exit), stdout, stderr };
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.fail(new TransportError('CLIENT_CLOSED', 'the session was closed by its own close()'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#over === undefined) this.close();
  }

  /** Ends it from our side. */
  fail(reason: unknown): void {
    this.#end(reason);
    this.#parts.socket.destroy();
  }

  readonly #abort = (): void => this.fail(this.#parts.signal?.reason);

  #receive(message: Uint8Array): void {
    if (this.#over !== undefined) return;
    const { state, events } = stepChannels(this.#state, message);
    this.#state = state;
    for (const event of events) {
      if (event.type === 'violation')
        return this.fail(this.#parts.named(new TransportError('PROTOCOL', event.message)));
      const stream = this.#output(event.channel);
      if (event.type === 'bytes') stream.push(event.bytes);
      else stream.end();
    }
    this.#look();
  }

  #look(): void {
    if (this.#over !== undefined) return;
    const error = this.#unread.look();
    if (error !== undefined) this.fail(error);
  }

  /** A flood of sizes is one message at a time. */
  async #sendSizes(): Promise<void> {
    this.#isResizing = true;
    for (let size = this.#size; size !== undefined && this.#over === undefined; size = this.#size) {
      this.#size = undefined;
      await this.#parts.socket.send(resizeMessage(size));
    }
    this.#isResizing = false;
  }

  #closed(error: TransportError | undefined): void {
    if (this.#over !== undefined) return;
    const end = commandEnd(this.#state);
    if (end.type === 'exited') {
      this.#finish();
      this.stdout.end();
      this.stderr.end();
      this.#settle?.resolve({ code: end.code });
    } else if (end.type === 'failed') this.#end(new StatusError(end.status));
    else this.#end(this.#parts.named(error ?? new TransportError('CLOSED', end.message)));
  }

  #end(reason: unknown): void {
    if (this.#over !== undefined) return;
    this.#finish(reason);
    this.stdout.fail(reason);
    this.stderr.fail(reason);
    this.#settle?.reject(reason);
  }

  #finish(reason: unknown = new TransportError('CLOSED', 'the command has ended')): void {
    this.#over = { reason };
    this.#parts.signal?.removeEventListener('abort', this.#abort);
  }

  #output(channel: OutputChannel): IncomingBytes {
    return channel === 'stdout' ? this.stdout : this.stderr;
  }
}
