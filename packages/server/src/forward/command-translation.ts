/** A client that speaks version 5 of the channels, joined with a kubelet that speaks SPDY with version 4. */

import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { CommandStream } from '../contract/forwarding.ts';
import { type LinkedReader, MessageLink } from './message-link.ts';
import { dataHead, pingFrame, synStreamFrame } from './spdy/spdy-frames.ts';
import { SPDY_START, type SpdyEvent, type SpdyState, stepSpdy } from './spdy/spdy-reader.ts';

/** The number of each stream in version 5. */
const CHANNELS: Readonly<Record<CommandStream, number>> = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 };
/** Says that the client sends nothing more on a channel, whose number follows. */
const CLOSE_CHANNEL = 255;

/** As kubelets do. */
const PIECE_BYTES = 32 * 1024;
/** Pings are answered while less than this waits. */
const UNREAD_PONGS_MAX_BYTES = 64 * 1024;
const NORMAL_CLOSURE = 1000;
const INTERNAL_ERROR = 1011;

/** Joins them until one side ends it. `streams` are what the command has, beside its report of the end. */
export function joinCommand(
  client: WebSocket,
  kubelet: Duplex,
  first: Buffer,
  streams: readonly Exclude<CommandStream, 'error'>[],
): void {
  const link = new MessageLink(client, kubelet);
  link.start(new CommandTranslation(link, ['error', ...streams]), first);
}

class CommandTranslation implements LinkedReader {
  readonly #link: MessageLink;
  /** The ids in SPDY of the channels that the client writes to, until it ends them. */
  readonly #inputs = new Map<number, number>();
  /** The channels of the streams that the kubelet writes to, by id, until it ends them. */
  readonly #outputs = new Map<number, number>();
  /** What the client sent before the kubelet had its streams. */
  #early: Buffer[] | undefined = [];
  readonly #unopened = new Set<number>();
  #state: SpdyState = SPDY_START;
  #isOver = false;

  constructor(link: MessageLink, streams: readonly CommandStream[]) {
    this.#link = link;
    const frames = streams.map((stream, index) => {
      const id = 2 * index + 1;
      this.#unopened.add(id);
      const isInput = stream === 'stdin' || stream === 'resize';
      if (isInput) this.#inputs.set(CHANNELS[stream], id);
      else this.#outputs.set(id, CHANNELS[stream]);
      return synStreamFrame(id, { streamtype: stream }, index === 0);
    });
    link.hold();
    link.write(frames);
  }

  onMessage(message: Buffer): void {
    if (this.#isOver) return;
    if (this.#early === undefined) this.#forward(message);
    else this.#early.push(message);
  }

  onBytes(bytes: Buffer): void {
    if (this.#isOver) return;
    const { state, events } = stepSpdy(this.#state, bytes);
    this.#state = state;
    for (const event of events) if (!this.#isOver) this.#apply(event);
    if (this.#outputs.size === 0) this.#end(NORMAL_CLOSURE);
  }

  onEnd(): void {
    this.#end(INTERNAL_ERROR, 'the kubelet has ended the connection');
  }

  #forward(message: Buffer): void {
    const [channel = 0, closed = 0] = message;
    const isEnd = channel === CLOSE_CHANNEL;
    const id = this.#inputs.get(isEnd ? closed : channel);
    // Unknown channels are left alone, as Kubernetes does.
    if (id === undefined) return;
    if (isEnd) {
      this.#inputs.delete(closed);
      this.#link.write([dataHead(id, 0, true)]);
      return;
    }
    for (let from = 1; from < message.length; from += PIECE_BYTES) {
      const piece = message.subarray(from, from + PIECE_BYTES);
      this.#link.write([dataHead(id, piece.length, false), piece]);
    }
  }

  #apply(event: SpdyEvent): void {
    switch (event.type) {
      case 'bytes': {
        const channel = this.#outputs.get(event.stream);
        if (channel === undefined) return;
        this.#link.send(Buffer.concat([Buffer.of(channel), event.bytes]));
        return;
      }
      case 'ended':
        this.#outputs.delete(event.stream);
        return;
      case 'opened':
        this.#unopened.delete(event.stream);
        if (this.#unopened.size === 0) this.#release();
        return;
      case 'ping':
        // A kubelet that sends pings and does not read would fill the memory with answers.
        if (this.#link.waiting < UNREAD_PONGS_MAX_BYTES) this.#link.write([pingFrame(event.id)]);
        return;
      case 'violation':
        this.#end(INTERNAL_ERROR, `the kubelet sent ${event.message}`);
    }
  }

  #release(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const message of early) this.#forward(message);
    this.#link.letGo();
  }

  #end(code: number, reason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#link.end(code, reason);
  }
}
