/** One request in flow control: from its classification to its end. */

import type { CancelTimer } from '@listwatch/storage';
import type { AccessAttributes } from '../../contract/authorization.ts';
import type { WorkFlow } from '../../contract/work-flow.ts';
import type { FlowHeaders, FlowSchemaMatch } from '../flow-classifier.ts';
import type { Flow } from './flow.ts';
import type { FlowControl } from './flow-control.ts';
import { type KindCounts, kindOfVerb } from './kind-counts.ts';
import type { LoopClaim, LoopFlow } from './loop-share.ts';
import type { PriorityLevel } from './priority-level.ts';
import type { RejectionReason, SchemaCounts } from './schema-counts.ts';
import { type RequestDetails, SeatRequest } from './seat-request.ts';

/** What a ticket is made of. */
export interface FlowTicketParts {
  readonly level: PriorityLevel;
  readonly counts: SchemaCounts;
  readonly match: FlowSchemaMatch;
  readonly flow: Flow;
  readonly seats: number;
  readonly isWatch: boolean;
  readonly attributes: AccessAttributes;
}

/** A request that gets no seat. */
export interface FlowRefusal {
  readonly reason: RejectionReason;
  readonly retryAfterSeconds: number;
}

/** How long a request may wait, and how it hears that its client has gone. */
export interface FlowPatience {
  readonly waitMs: number;
  readonly onGone: (listener: (() => void) | undefined) => void;
}

export class FlowTicket implements LoopClaim {
  readonly #control: FlowControl;
  readonly #parts: FlowTicketParts;
  #request: SeatRequest | undefined;
  #spentMs = 0;

  constructor(control: FlowControl, parts: FlowTicketParts) {
    this.#control = control;
    this.#parts = parts;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /** Also after its end: the last stretch of most requests is the one that sends the answer. */
  set spentMs(ms: number) {
    this.#parts.counts.loopMs += ms - this.#spentMs;
    this.#spentMs = ms;
  }

  get headers(): FlowHeaders {
    return this.#parts.match.headers;
  }

  /** Its flow, for work in other threads. */
  get work(): WorkFlow {
    const { level, match, flow } = this.#parts;
    const { isExempt, weight } = level.loop;
    return { level: level.name, weight, isExempt, name: `${match.name}\0${flow.distinguisher}` };
  }

  get flow(): LoopFlow {
    return this.#parts.flow.loop;
  }

  /** Asks for seats: undefined when it has them, the refusal, or a promise of either. */
  enter(patience: FlowPatience): FlowRefusal | Promise<FlowRefusal | undefined> | undefined {
    const { level, counts, flow, seats } = this.#parts;
    const now = this.#control.now();
    this.#control.arriving(now);
    const request = new SeatRequest(flow, seats, now, this.#details);
    this.#request = request;
    counts.seats.observe(seats);
    const arrival = level.seats.arrive(request, now);
    if (arrival === 'executing') {
      if (request.queue !== undefined) counts.queueLengths.observe(1);
      this.#began(now);
      return undefined;
    }
    if (arrival !== 'waiting') {
      counts.refusedWaits.observe(0);
      return this.#refuse(arrival);
    }
    counts.queueLengths.observe(request.queue?.waiting.length ?? 0);
    counts.waiting += 1;
    counts.waitingSeats += seats;
    this.#kind.waits(1, now);
    this.#control.waits();
    return this.#waited(request, patience);
  }

  /** Asks for a turn of the event loop; undefined: go on at once. */
  turn(): Promise<void> | undefined {
    return this.#control.gate.turn(this);
  }

  /** The first turn after the seats. Its wait counts like that in queues: of users in one level it is nearly all they wait for. */
  firstTurn(): Promise<void> | undefined {
    const turn = this.turn();
    if (turn !== undefined) return turn.then(() => this.#waitEnded());
    this.#waitEnded();
    return undefined;
  }

  /** A change is about to be committed under a key, of a kind that so many watch. */
  writes(key: string, watchers: number): void {
    this.#parts.counts.watchers.observe(watchers);
    if (watchers > 0) this.#control.deliveries.wrote(key, this);
  }

  /** Loop time that others used because of it. */
  charge(ms: number): void {
    this.#control.gate.charge(this.flow, ms);
    this.#parts.counts.loopMs += ms;
  }

  /** Gives the seats back; later calls do nothing. */
  leave(): void {
    const request = this.#request;
    if (request?.state !== 'executing') return;
    const { level, counts, isWatch } = this.#parts;
    const now = this.#control.now();
    this.#kind.executes(-1, now);
    counts.executing -= 1;
    counts.executingSeats -= request.seats;
    counts.executions[isWatch ? 'watch' : 'regular'].observe((now - request.startedAt) / 1000);
    level.seats.finish(request, now, (this.spentMs + this.#control.gate.running(this)) / 1000);
    this.#control.settled(level);
  }

  get #kind(): KindCounts {
    return this.#control.kinds[kindOfVerb(this.#parts.attributes.verb)];
  }

  #began(now: number): void {
    const { counts, seats } = this.#parts;
    counts.dispatched += 1;
    counts.executing += 1;
    counts.executingSeats += seats;
    this.#kind.executes(1, now);
  }

  #waitEnded(): void {
    const now = this.#control.now();
    const seconds = (now - (this.#request?.arrivedAt ?? now)) / 1000;
    this.#parts.counts.waits.observe(seconds);
    this.#control.filterSeconds.observe(seconds);
  }

  #waited(request: SeatRequest, { waitMs, onGone }: FlowPatience): Promise<FlowRefusal | undefined> {
    const { level, counts, seats } = this.#parts;
    return new Promise((resolve) => {
      let cancel: CancelTimer | undefined;
      const settle = (refusal: FlowRefusal | undefined): void => {
        cancel?.();
        onGone(undefined);
        counts.waiting -= 1;
        counts.waitingSeats -= seats;
        this.#kind.waits(-1, this.#control.now());
        resolve(refusal);
      };
      const giveUp = (): void => {
        const now = this.#control.now();
        level.seats.leave(request, now);
        level.timedOut += 1;
        counts.waits.observe((now - request.arrivedAt) / 1000);
        settle(this.#refuse('time-out'));
        this.#control.settled(level);
      };
      request.wake = () => {
        this.#began(request.startedAt);
        settle(undefined);
      };
      cancel = this.#control.clock.after(waitMs, giveUp);
      onGone(giveUp);
    });
  }

  #refuse(reason: RejectionReason): FlowRefusal {
    const { level, counts } = this.#parts;
    counts.rejected[reason] += 1;
    const now = this.#control.now();
    this.#control.filterSeconds.observe((now - (this.#request?.arrivedAt ?? now)) / 1000);
    return { reason, retryAfterSeconds: level.reject(now) };
  }

  readonly #details = (): RequestDetails => {
    const { attributes } = this.#parts;
    const { user, verb, path, namespace, name, group, version, resource, subresource } = attributes;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    return { userName: user.name, verb, path, namespace, name, apiVersion, resource, subresource };
  };
}
