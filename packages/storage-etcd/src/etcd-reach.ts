/** Whether etcd can be reached, and what people are told when that changes: a union of states and one pure function. */

import { monotonicMs } from '@listwatch/api/internal';
import type { Clock } from '@listwatch/storage';

/** What changed. */
export type EtcdReach =
  /** No member serves: requests wait and then fail, and watches are silent. */
  | { readonly type: 'lost'; readonly reason: string }
  /** A member serves again. */
  | { readonly type: 'back'; readonly endpoint: string; readonly downMs: number }
  /** One member does not serve, and another one is used. */
  | { readonly type: 'moved'; readonly from: string; readonly endpoint: string; readonly reason: string };

/** A connection that breaks is opened again in less: nothing that people must know. The reason that lasts is told. */
const LOST_AFTER_MS = 500;

export type ReachState =
  /** An empty endpoint: none has answered yet. */
  | { readonly type: 'serving'; readonly endpoint: string }
  /** These members have failed one after the other since `from` did. */
  | {
      readonly type: 'failing';
      readonly from: string;
      readonly failed: ReadonlySet<string>;
      readonly reason: string;
      readonly since: number;
    }
  | { readonly type: 'lost'; readonly since: number };

export type ReachInput =
  | { readonly type: 'answered'; readonly endpoint: string }
  | { readonly type: 'failed'; readonly endpoint: string; readonly reason: string }
  /** The cluster refuses the login: no other member will take it. */
  | { readonly type: 'refused'; readonly endpoint: string; readonly reason: string };

/** The state after `input`, and what is to be told. `members` is how many there are. */
export function stepReach(
  state: ReachState,
  input: ReachInput,
  members: number,
  now: number,
): { readonly state: ReachState; readonly told?: EtcdReach } {
  const { endpoint } = input;
  if (input.type === 'answered') {
    const serving: ReachState = { type: 'serving', endpoint };
    if (state.type === 'lost') return { state: serving, told: { type: 'back', endpoint, downMs: now - state.since } };
    // A connection that broke and was opened again is nothing that people must know.
    if (state.type === 'serving' || state.from === endpoint) return { state: serving };
    return { state: serving, told: { type: 'moved', from: state.from, endpoint, reason: state.reason } };
  }
  if (state.type === 'lost') return { state };
  // What still ran on a member that was left.
  if (state.type === 'serving' && state.endpoint !== '' && state.endpoint !== endpoint) return { state };
  const before = state.type === 'failing' ? state : { from: endpoint, failed: new Set<string>(), since: now };
  const failed = new Set([...before.failed, endpoint]);
  const { reason } = state.type === 'failing' ? state : input;
  const isWhole = input.type === 'refused' || failed.size >= members;
  if (!isWhole || now - before.since < LOST_AFTER_MS) return { state: { ...before, type: 'failing', failed, reason } };
  return { state: { type: 'lost', since: before.since }, told: { type: 'lost', reason: input.reason } };
}

/** Follows the calls of a client. */
export class ReachWatch {
  readonly #members: number;
  readonly #clock: Clock;
  readonly #onReach: ((reach: EtcdReach) => void) | undefined;
  #state: ReachState = { type: 'serving', endpoint: '' };

  constructor(members: number, clock: Clock, onReach: ((reach: EtcdReach) => void) | undefined) {
    this.#members = members;
    this.#clock = clock;
    this.#onReach = onReach;
  }

  answered(endpoint: string): void {
    // Nearly always: it is on the way of every call.
    if (this.#state.type === 'serving' && this.#state.endpoint === endpoint) return;
    this.#step({ type: 'answered', endpoint });
  }

  failed(endpoint: string, error: unknown): void {
    this.#step({ type: 'failed', endpoint, reason: reasonOf(error) });
  }

  refused(endpoint: string, error: unknown): void {
    this.#step({ type: 'refused', endpoint, reason: reasonOf(error) });
  }

  #step(input: ReachInput): void {
    const { state, told } = stepReach(this.#state, input, this.#members, monotonicMs(this.#clock));
    this.#state = state;
    if (told !== undefined) this.#onReach?.(told);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
