/** The seats and queues of one priority level. A state machine: all times are passed in, in milliseconds. */

import type { Flow } from './flow.ts';
import type { SeatRequest } from './seat-request.ts';

/** How requests wait. Undefined: they are rejected when there is no seat. */
export interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export type Rejection = 'concurrency-limit' | 'queue-full';

/** What became of a request that has arrived. */
export type Arrival = 'executing' | 'waiting' | Rejection;

/** The guess for what a request holds a seat for, in seconds. */
const GUESSED_SECONDS = 0.003;
/** One flow holds at most this part of the seats of a queuing level, so that another one finds a seat. */
const FLOW_PART = 0.75;

/** One queue. It exists while it is used. */
export class SeatQueue {
  readonly index: number;
  readonly waiting: SeatRequest[] = [];
  readonly executing: Set<SeatRequest> = new Set();
  /** The virtual time of its next dispatch. */
  next: number;
  seats = 0;

  constructor(index: number, next: number) {
    this.index = index;
    this.next = next;
  }

  get waitingSeats(): number {
    return this.waiting.reduce((sum, { seats }) => sum + seats, 0);
  }
}

/** Hears of each change of the seats in use and of those that wait. */
export interface SeatListener {
  dispatched(request: SeatRequest): void;
  /** The best request does not fit. */
  blocked(request: SeatRequest): void;
  changed(): void;
}

/** Fair queuing by virtual time: the queue whose next dispatch is earliest goes first. */
export class SeatQueues {
  readonly #listener: SeatListener;
  readonly #queues = new Map<number, SeatQueue>();
  readonly #backlog = new Set<SeatQueue>();
  /** Requests of a level without queues. */
  readonly unqueued: Set<SeatRequest> = new Set();
  #queuing: Queuing | undefined;
  #limit: number;
  #inUse = 0;
  #waitingSeats = 0;
  #waiting = 0;
  #executing = 0;
  #virtualTime = 0;
  #at: number;
  #enqueues = 0;
  #robin = -1;

  constructor(listener: SeatListener, queuing: Queuing | undefined, limit: number, now: number) {
    this.#listener = listener;
    this.#queuing = queuing;
    this.#limit = limit;
    this.#at = now;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waitingSeats(): number {
    return this.#waitingSeats;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get limit(): number {
    return this.#limit;
  }

  get virtualTime(): number {
    return this.#virtualTime;
  }

  /** The queues that are used, by index. */
  get queues(): readonly SeatQueue[] {
    return [...this.#queues.values()].toSorted((left, right) => left.index - right.index);
  }

  get activeQueues(): number {
    return this.#queues.size;
  }

  /** Takes new settings. Requests that wait in queues which there are no more keep their place there. */
  configure(queuing: Queuing | undefined, limit: number, now: number): void {
    this.#advance(now);
    this.#queuing = queuing;
    this.#limit = limit;
    this.#dispatch(now);
  }

  arrive(request: SeatRequest, now: number): Arrival {
    this.#advance(now);
    const queuing = this.#queuing;
    if (queuing === undefined) {
      if (!this.#fits(request)) return 'concurrency-limit';
      this.unqueued.add(request);
      this.#execute(request, now);
      return 'executing';
    }
    const queue = this.#choose(request.flow, queuing);
    if (queue.waiting.length >= queuing.queueLengthLimit && this.#isFull(request)) {
      this.#drop(queue);
      return 'queue-full';
    }
    if (queue.waiting.length === 0 && queue.executing.size === 0) queue.next = this.#virtualTime;
    request.queue = queue;
    request.arrivalR = this.#virtualTime;
    request.state = 'waiting';
    request.flow.waiting += 1;
    queue.waiting.push(request);
    this.#backlog.add(queue);
    this.#waiting += 1;
    this.#waitingSeats += request.seats;
    this.#enqueues += 1;
    this.#dispatch(now);
    this.#listener.changed();
    return isExecuting(request) ? 'executing' : 'waiting';
  }

  /** A request that waits leaves: its time is over, or its client has gone. */
  leave(request: SeatRequest, now: number): void {
    const { queue } = request;
    if (request.state !== 'waiting' || queue === undefined) return;
    this.#advance(now);
    this.#unqueue(queue, request);
    request.state = 'ended';
    this.#drop(queue);
    // It may have been the wide one that narrower ones waited behind.
    this.#dispatch(now);
    this.#listener.changed();
  }

  /** A request has ended. `loopSeconds` is what it used of the event loop: that is what its queue is charged. */
  finish(request: SeatRequest, now: number, loopSeconds: number): void {
    if (request.state !== 'executing') return;
    this.#advance(now);
    request.state = 'ended';
    request.flow.seats -= request.seats;
    request.flow.executing -= 1;
    this.#inUse -= request.seats;
    this.#executing -= 1;
    const { queue } = request;
    this.unqueued.delete(request);
    if (queue !== undefined) {
      queue.executing.delete(request);
      queue.seats -= request.seats;
      queue.next -= request.seats * (GUESSED_SECONDS - loopSeconds);
      this.#drop(queue);
    }
    this.#dispatch(now);
    this.#listener.changed();
  }

  /** All requests, those that execute first. */
  *requests(): Generator<{ readonly request: SeatRequest; readonly index: number }, undefined> {
    for (const request of this.unqueued) yield { request, index: -1 };
    for (const queue of this.queues) {
      for (const request of queue.executing) yield { request, index: -1 };
      for (const [index, request] of queue.waiting.entries()) yield { request, index };
    }
  }

  #advance(now: number): void {
    const elapsed = Math.max(0, now - this.#at) / 1000;
    this.#at = Math.max(now, this.#at);
    if (this.#queues.size === 0) return;
    this.#virtualTime += (elapsed * Math.min(this.#inUse + this.#waitingSeats, this.#limit)) / this.#queues.size;
  }

  /** The queue of the flow's hand with the least waiting work. */
  #choose(flow: Flow, { queues, handSize }: Queuing): SeatQueue {
    const hand = flow.hand(queues, Math.min(handSize, queues));
    const from = this.#enqueues % hand.length;
    let best = hand[from] ?? 0;
    let least = Number.POSITIVE_INFINITY;
    for (let count = 0; count < hand.length && least > 0; count += 1) {
      const index = hand[(from + count) % hand.length] ?? 0;
      const work = this.#queues.get(index)?.waitingSeats ?? 0;
      if (work >= least) continue;
      least = work;
      best = index;
    }
    const known = this.#queues.get(best);
    if (known !== undefined) return known;
    const made = new SeatQueue(best, this.#virtualTime);
    this.#queues.set(best, made);
    return made;
  }

  #fits({ seats }: SeatRequest): boolean {
    return this.#inUse + seats <= this.#limit || (seats > this.#limit && this.#inUse === 0 && this.#limit > 0);
  }

  #isFull({ flow, seats }: SeatRequest): boolean {
    return this.#inUse >= this.#limit || this.#isCapped(flow, seats);
  }

  #isCapped(flow: Flow, seats: number): boolean {
    return flow.seats > 0 && flow.seats + seats > Math.ceil(this.#limit * FLOW_PART);
  }

  #dispatch(now: number): void {
    while (this.#backlog.size > 0 && this.#inUse < this.#limit) {
      const best = this.#best();
      if (best === undefined) return;
      if (!this.#fits(best)) {
        this.#listener.blocked(best);
        return;
      }
      const { queue } = best;
      if (queue === undefined) return;
      this.#robin = queue.index;
      this.#unqueue(queue, best);
      queue.executing.add(best);
      queue.seats += best.seats;
      queue.next += best.seats * GUESSED_SECONDS;
      this.#execute(best, now);
    }
  }

  /** The request of the queue with the earliest next dispatch; ties go round from the last winner. */
  #best(): SeatRequest | undefined {
    let best: SeatRequest | undefined;
    let least = Number.POSITIVE_INFINITY;
    let leastDistance = Number.POSITIVE_INFINITY;
    for (const queue of this.#backlog) {
      const head = queue.waiting.find(({ flow, seats }) => !this.#isCapped(flow, seats));
      if (head === undefined) continue;
      // Being idle saves up nothing.
      queue.next = Math.max(queue.next, queue.waiting[0]?.arrivalR ?? 0);
      const finish = queue.next + head.seats * GUESSED_SECONDS;
      const distance = queue.index > this.#robin ? queue.index - this.#robin : queue.index - this.#robin + INDEX_MAX;
      if (finish > least || (finish === least && distance > leastDistance)) continue;
      best = head;
      least = finish;
      leastDistance = distance;
    }
    return best;
  }

  #execute(request: SeatRequest, now: number): void {
    const hasWaited = request.state === 'waiting';
    request.state = 'executing';
    request.startedAt = now;
    request.flow.seats += request.seats;
    request.flow.executing += 1;
    this.#inUse += request.seats;
    this.#executing += 1;
    this.#listener.dispatched(request);
    if (!hasWaited) this.#listener.changed();
    request.wake();
  }

  #unqueue(queue: SeatQueue, request: SeatRequest): void {
    queue.waiting.splice(queue.waiting.indexOf(request), 1);
    if (queue.waiting.length === 0) this.#backlog.delete(queue);
    this.#waiting -= 1;
    this.#waitingSeats -= request.seats;
    request.flow.waiting -= 1;
  }

  /** Queues that nobody uses are not kept: a level may have ten million. */
  #drop(queue: SeatQueue): void {
    if (queue.waiting.length === 0 && queue.executing.size === 0) this.#queues.delete(queue.index);
  }
}

const INDEX_MAX = 2 ** 32;

function isExecuting({ state }: SeatRequest): boolean {
  return state === 'executing';
}
