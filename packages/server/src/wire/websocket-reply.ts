/** Answers a request to change the protocol: a watch makes it a WebSocket, a kubelet a tunnel; anything else is plain HTTP/1.1. */

import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MEDIA_TYPE } from '@listwatch/api';
import type { WebSocket } from 'ws';
import type { TunnelResponse, TunnelTranslation } from '../contract/api-response.ts';
import { LINGER_MS, type ReplyHead } from '../contract/reply.ts';
import type { WatchSink } from '../contract/watch-sink.ts';
import { headerText } from './header-text.ts';
import { Http1Reply } from './http1-reply.ts';
import { joinStreams } from './join-streams.ts';
import { binaryFraming, FrameJoiner, messageFraming } from './joined-frames.ts';
import type { ReadDeadlineConfig } from './read-deadline.ts';
import { StreamWatchSink } from './stream-watch-sink.ts';
import { checkHandshake } from './websocket-handshake.ts';

const messages = new FrameJoiner(messageFraming);
const binaryMessages = new FrameJoiner(binaryFraming);

/** A client has nothing to say on a watch: its messages are dropped, and may not be large. */
const CLIENT_MESSAGE_MAX_BYTES = 64 * 1024;
/** Of a command's input, or bytes for a port: clients send 32 KiB, or 64 KiB, at a time. */
const STREAM_MESSAGE_MAX_BYTES = 4 * 1024 * 1024;
const PROTOCOLS_HEADER = 'sec-websocket-protocol';
/** Pings are answered while less than this waits to be read. */
const UNREAD_PONGS_MAX_BYTES = 64 * 1024;
const NORMAL_CLOSURE = 1000;

/** The reply to one upgrade request. */
export class WebsocketReply extends Http1Reply {
  readonly #socket: Duplex;
  readonly #firstBytes: Buffer;
  #status = 0;
  #watchSink: StreamWatchSink | undefined;
  /** The other end of a tunnel. */
  #other: Duplex | undefined;

  constructor(message: IncomingMessage, socket: Duplex, firstBytes: Buffer, config: ReadDeadlineConfig) {
    const response = new ServerResponse(message);
    response.shouldKeepAlive = false;
    // Node has let go of this socket and answers nothing on it: a response has to be put on it by hand.
    response.assignSocket(message.socket);
    super(message, response, config);
    this.#socket = socket;
    this.#firstBytes = firstBytes;
    response.on('finish', () => {
      response.detachSocket(message.socket);
      message.socket.destroySoon();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.close());
  }

  override get status(): number {
    return this.#status === 0 ? super.status : this.#status;
  }

  override async watch(head: ReplyHead, start: (sink: WatchSink) => void): Promise<void> {
    const { message } = this;
    const handshake = checkHandshake({
      method: message.method ?? '',
      header: (name) => headerText(message.headers[name]),
    });
    if (handshake.type === 'refused') {
      // Bare, as Kubernetes has it: who gets here is a program that must be mended, not a user.
      this.send({ status: handshake.status, headers: { 'sec-websocket-version': '13' } }, Buffer.from(handshake.text));
      return;
    }
    // With the first one: four megabytes that most servers never need.
    const { WebSocketServer } = await import('ws');
    if (this.closed) return;
    this.response.detachSocket(message.socket);
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: CLIENT_MESSAGE_MAX_BYTES,
      handleProtocols: () => handshake.subprotocol ?? false,
    });
    server.on('headers', (lines) => {
      for (const [name, value] of Object.entries(head.headers))
        if (name !== 'content-type') lines.push(`${name}: ${String(value)}`);
    });
    this.#status = 101;
    server.handleUpgrade(message, this.#socket, this.#firstBytes, (client) =>
      this.#start(client, isProtobuf(head) ? binaryMessages : messages, start),
    );
  }

  /** Sends the 101 of the other server as it is, and joins both connections. */
  tunnel({ headers, socket: other, first, translation }: TunnelResponse): void {
    const { message } = this;
    this.#other = other;
    if (translation !== undefined) return void this.#translate(translation);
    this.response.detachSocket(message.socket);
    this.#status = 101;
    const lines = ['HTTP/1.1 101 Switching Protocols'];
    for (let index = 0; index + 1 < headers.length; index += 2) lines.push(`${headers[index]}: ${headers[index + 1]}`);
    this.#socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), first]));
    if (this.#firstBytes.length > 0) other.write(this.#firstBytes);
    joinStreams(this.#socket, other);
  }

  async #translate({ protocol, join }: TunnelTranslation): Promise<void> {
    const { message } = this;
    const { WebSocketServer } = await import('ws');
    if (this.closed) return;
    this.response.detachSocket(message.socket);
    this.#status = 101;
    const server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: STREAM_MESSAGE_MAX_BYTES,
    });
    // By hand: names with a slash, as that of ports, are none to ws.
    server.on('headers', (lines) => lines.push(`Sec-WebSocket-Protocol: ${protocol}`));
    const { [PROTOCOLS_HEADER]: _, ...headers } = message.headers;
    const plain: IncomingMessage = Object.create(message, { headers: { value: headers } });
    server.handleUpgrade(plain, this.#socket, this.#firstBytes, (client) => {
      client.on('error', () => {});
      this.#answerPings(client);
      join(client);
    });
  }

  override endWatch(): void {
    this.#watchSink?.end();
    if (this.#other !== undefined) this.cut();
  }

  override cut(): void {
    this.#socket.destroy();
    this.#other?.destroy();
  }

  override close(): void {
    super.close();
    this.#watchSink?.close();
    this.#other?.destroy();
  }

  /** A client that sends pings and does not read would fill the memory with pongs. */
  #answerPings(client: WebSocket): void {
    client.on('ping', (data) => {
      if (this.#socket.writableLength < UNREAD_PONGS_MAX_BYTES) client.pong(data);
    });
  }

  #start(client: WebSocket, joiner: FrameJoiner, start: (sink: WatchSink) => void): void {
    // A frame that breaks the protocol closes the connection, and that is all there is to say to it.
    client.on('error', () => {});
    client.on('close', () => this.close());
    this.#answerPings(client);
    client.resume();
    this.#watchSink = new StreamWatchSink({
      // Whole messages go straight to the socket; `client` answers pings and closes between them.
      stream: this.#socket,
      joiner,
      end: () => {
        client.close(NORMAL_CLOSURE);
        this.onClose(this.config.clock.after(LINGER_MS, () => this.cut()));
      },
    });
    start(this.#watchSink);
  }
}

function isProtobuf({ headers }: ReplyHead): boolean {
  return String(headers['content-type']).startsWith(MEDIA_TYPE.protobuf);
}
