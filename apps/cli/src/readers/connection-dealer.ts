/** Hands connections to readers: each to the one with the least to do, and to another one when that ends before it has it. */

import type { Socket } from 'node:net';
import type { Clock } from '@listwatch/api';
import type { ClientDoor } from '@listwatch/server/internal';
import type { ReaderLoad } from './reader-messages.ts';

/** A reader, as the dealer knows it. */
export interface DealtReader {
  /** Sends it a connection, which stays open here. */
  send(connection: { readonly id: number; readonly door: ClientDoor }, socket: Socket): void;
}

/** Numbers for metrics. */
export interface DealtCounts {
  /** Connections that no reader has yet. */
  readonly waiting: number;
  readonly dealt: number;
  /** Dealt again, because a reader ended before it had them. */
  readonly again: number;
  /** Closed, because no reader took them in time. */
  readonly expired: number;
}

/** As long as a client may take for its part of the handshake. */
const WAIT_MS = 10_000;
/** Node sends a connection when the one before it has arrived: what waits for that could go to another reader. */
const ON_THE_WAY = 16;

/** A connection that nobody reads from. */
interface Waiting {
  readonly id: number;
  readonly socket: Socket;
  readonly door: ClientDoor;
  cancelEnd: () => void;
}

/** What is known of a reader. */
interface Place {
  readonly onTheWay: Map<number, Waiting>;
  load: ReaderLoad;
  taken: number;
}

/**
 * A connection stays open here until its reader says that it has it, and a reader says so before it reads. So the connection of a
 * reader that is killed meanwhile is whole, and the next one takes it: its client notices nothing.
 */
export class ConnectionDealer {
  readonly #clock: Clock;
  readonly #readers = new Map<DealtReader, Place>();
  readonly #waiting: Waiting[] = [];
  #lastId = 0;
  #dealt = 0;
  #again = 0;
  #expired = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get counts(): DealtCounts {
    const onTheWay = [...this.#readers.values()].reduce((sum, place) => sum + place.onTheWay.size, 0);
    return {
      waiting: this.#waiting.length + onTheWay,
      dealt: this.#dealt,
      again: this.#again,
      expired: this.#expired,
    };
  }

  /** Takes over a connection that is paused. How many wait is the listener's to limit. */
  deal(socket: Socket, door: ClientDoor): void {
    this.#lastId += 1;
    const waiting: Waiting = { id: this.#lastId, socket, door, cancelEnd: () => {} };
    waiting.cancelEnd = this.#clock.after(WAIT_MS, () => this.#expire(waiting));
    socket.on('error', () => socket.destroy());
    this.#waiting.push(waiting);
    this.#dealWaiting();
  }

  /** A reader that serves. */
  add(reader: DealtReader): void {
    this.#readers.set(reader, { onTheWay: new Map(), load: { taken: 0, open: 0, watches: 0 }, taken: 0 });
    this.#dealWaiting();
  }

  /** It has ended. What it has not taken goes to others. */
  remove(reader: DealtReader): void {
    const place = this.#readers.get(reader);
    if (place === undefined) return;
    this.#readers.delete(reader);
    this.#again += place.onTheWay.size;
    this.#waiting.unshift(...place.onTheWay.values());
    this.#dealWaiting();
  }

  /** A reader has a connection. */
  taken(reader: DealtReader, id: number): void {
    const place = this.#readers.get(reader);
    const taken = place?.onTheWay.get(id);
    if (place === undefined || taken === undefined) return;
    place.onTheWay.delete(id);
    place.taken += 1;
    this.#dealt += 1;
    taken.cancelEnd();
    // The reader's copy stays open.
    taken.socket.destroy();
    this.#dealWaiting();
  }

  loaded(reader: DealtReader, load: ReaderLoad): void {
    const place = this.#readers.get(reader);
    if (place !== undefined) place.load = load;
  }

  /** Closes the connections that no reader has. */
  close(): void {
    for (const place of this.#readers.values()) this.#waiting.push(...place.onTheWay.values());
    this.#readers.clear();
    for (const { socket, cancelEnd } of this.#waiting.splice(0)) {
      cancelEnd();
      socket.destroy();
    }
  }

  #dealWaiting(): void {
    for (;;) {
      const reader = this.#leastLoaded();
      const next = reader === undefined ? undefined : this.#waiting.shift();
      if (reader === undefined || next === undefined) return;
      this.#readers.get(reader)?.onTheWay.set(next.id, next);
      reader.send({ id: next.id, door: next.door }, next.socket);
    }
  }

  #leastLoaded(): DealtReader | undefined {
    let least: DealtReader | undefined;
    let leastLoad = Number.POSITIVE_INFINITY;
    for (const [reader, place] of this.#readers) {
      const load = loadOf(place);
      if (place.onTheWay.size >= ON_THE_WAY || load >= leastLoad) continue;
      [least, leastLoad] = [reader, load];
    }
    return least;
  }

  #expire(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    if (at >= 0) this.#waiting.splice(at, 1);
    // A reader that is this slow may take it later, and finds it closed by its client.
    for (const { onTheWay } of this.#readers.values()) onTheWay.delete(waiting.id);
    this.#expired += 1;
    waiting.socket.destroy();
    this.#dealWaiting();
  }
}

/** Connections, also those it has not told of yet, and watches. */
function loadOf({ load, taken, onTheWay }: Place): number {
  return load.open + (taken - load.taken) + onTheWay.size + load.watches;
}
