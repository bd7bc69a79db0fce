/** A request that wants seats of its level. */

import type { Flow } from './flow.ts';
import type { SeatQueue } from './seat-queues.ts';

/** What the dump of requests shows of one. */
export interface RequestDetails {
  readonly userName: string;
  readonly verb: string;
  readonly path: string;
  readonly namespace: string;
  readonly name: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
}

/** From its arrival to its end. Times are in milliseconds since 1970. */
export class SeatRequest {
  readonly flow: Flow;
  readonly seats: number;
  readonly details: () => RequestDetails;
  readonly arrivedAt: number;
  state: 'new' | 'waiting' | 'executing' | 'ended' = 'new';
  queue: SeatQueue | undefined;
  startedAt = 0;
  /** The virtual time of the level when it arrived. */
  arrivalR = 0;
  /** Called when a request that has waited gets its seats. */
  wake: () => void = () => {};

  constructor(flow: Flow, seats: number, arrivedAt: number, details: () => RequestDetails) {
    this.flow = flow;
    this.seats = seats;
    this.arrivedAt = arrivedAt;
    this.details = details;
  }
}
