/** A process of a model. */

import { type CancelTimer, type Clock, sleep } from '@listwatch/api';
import type { FakeClock } from '@listwatch/api/fake-clock';

/** A process with a clock of its own, which can be wrong and can be stopped as SIGSTOP stops one. */
export class CandidateProcess implements Clock {
  skewMs = 0;
  jumpedForward = false;
  /** For the test's own notes. */
  isTroubled = false;
  /** Requests are lost: before they arrive, or with their answer. */
  trouble: 'answers' | 'none' | 'requests' = 'none';
  signal: AbortSignal | undefined;
  readonly #base: FakeClock;
  #stopped: (() => void)[] | undefined;

  constructor(base: FakeClock) {
    this.#base = base;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  get isLeading(): boolean {
    return this.signal !== undefined && !this.signal.aborted;
  }

  now(): number {
    return this.#base.now() + this.skewMs;
  }

  /** The time that has really passed. */
  get trueTime(): number {
    return this.#base.now();
  }

  after(ms: number, task: () => void): CancelTimer {
    let cancelled = false;
    const run = (): void => {
      if (cancelled) return;
      if (this.#stopped === undefined) task();
      else this.#stopped.push(run);
    };
    const cancel = this.#base.after(ms, run);
    return () => {
      cancelled = true;
      cancel();
    };
  }

  /** Sets the clock. */
  jump(ms: number): void {
    this.skewMs += ms;
    this.jumpedForward ||= ms > 0;
  }

  stop(): void {
    this.#stopped ??= [];
  }

  resume(): void {
    const late = this.#stopped ?? [];
    this.#stopped = undefined;
    for (const task of late) task();
  }

  /** Resolves when the process runs: at once, or when it is resumed. */
  async running(): Promise<void> {
    while (this.#stopped !== undefined) {
      const stopped = this.#stopped;
      await new Promise<void>((resolve) => {
        stopped.push(resolve);
      });
    }
  }

  /** A request of this process to the server. */
  async send<T>(work: () => T, delayMs: number, signal: AbortSignal | undefined): Promise<T> {
    await sleep(this, delayMs, signal);
    if (this.trouble === 'requests') throw new Error('lost');
    const answer = work();
    await sleep(this, delayMs, signal);
    if (this.trouble === 'answers') throw new Error('lost');
    return answer;
  }
}
