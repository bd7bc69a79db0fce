/** The turns of requests that are pipelined on a connection of an HTTP/1.1 server that is not `Http1Endpoint`. */

import type { Socket } from 'node:net';
import type { Clock } from '@listwatch/api';
import type { Reply } from '../contract/reply.ts';
import { mountedConnection } from './mounted-connection.ts';

/**
 * A turn that lasts longer while a request waits is a watch: other answers have deadlines. No client has a use for a request
 * behind a watch, and a socket that is not read does not notice that its client has gone. Then the connection is cut.
 */
export const TURN_MAX_MS = 120_000;

/** What ends a turn. */
export type TurnEnd = Pick<Reply, 'closed' | 'onClose'>;

interface Waiting {
  readonly reply: TurnEnd;
  readonly start: () => void;
}

/**
 * Answers one request after the other, each in a turn of the loop of its own, and reads nothing while one waits. Node would
 * start all that it can read: 60 MB of the shortest requests kept a server from answering anybody. What waits is at most
 * what one read brings, 64 KB: Node parses all of it at once.
 */
export class PipelinedTurns {
  readonly #socket: Socket;
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #isBusy = false;
  #isHeld = false;
  #cancelCut: (() => void) | undefined;

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    // Node resumes the socket after each request that it has parsed.
    socket.on('resume', () => {
      if (this.#isHeld) socket.pause();
    });
    socket.on('drain', () => this.#resume());
    socket.once('close', () => {
      this.#waiting = [];
      this.#cancelCut?.();
    });
  }

  add(waiting: Waiting): void {
    if (this.#isBusy) {
      this.#waiting.push(waiting);
      this.#isHeld = true;
      this.#socket.pause();
      this.#boundTurn();
    } else this.#start(waiting);
  }

  #start({ reply, start }: Waiting): void {
    this.#isBusy = true;
    reply.onClose(() => {
      if (this.#waiting.length === 0) this.#isBusy = false;
      else setImmediate(() => this.#next());
    });
    start();
  }

  #next(): void {
    this.#cancelCut?.();
    this.#cancelCut = undefined;
    // The host may have answered meanwhile.
    let next = this.#waiting.shift();
    while (next?.reply.closed === true) next = this.#waiting.shift();
    if (next === undefined) this.#isBusy = false;
    else {
      if (this.#waiting.length > 0) this.#boundTurn();
      this.#start(next);
    }
    this.#resume();
  }

  #boundTurn(): void {
    this.#cancelCut ??= this.#clock.after(TURN_MAX_MS, () => this.#socket.destroy());
  }

  #resume(): void {
    // Node throws if it gets bytes while it waits for a drain.
    if (!this.#isHeld || this.#waiting.length > 0 || this.#socket.writableNeedDrain) return;
    this.#isHeld = false;
    this.#socket.resume();
  }
}

/** Calls `start` when the requests before it on its connection are answered. */
export function inTurn(socket: Socket, clock: Clock, reply: TurnEnd, start: () => void): void {
  const connection = mountedConnection(socket);
  connection.turns ??= new PipelinedTurns(socket, clock);
  connection.turns.add({ reply, start });
}
