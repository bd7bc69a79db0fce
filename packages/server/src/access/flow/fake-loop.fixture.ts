/** An event loop on a clock of its own, for tests of the gate. */

import type { LoopTime } from './loop-gate.ts';

/** Time passes only when a stretch says that it computes. */
export class FakeLoop implements LoopTime {
  #now = 0;
  readonly #drained: (() => void)[] = [];
  readonly #turns: (() => void)[] = [];
  readonly #arrivals: { readonly at: number; readonly task: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  whenDrained(task: () => void): void {
    this.#drained.push(task);
  }

  nextTurn(task: () => void): void {
    this.#turns.push(task);
  }

  /** The thread is busy for so long. */
  compute(ms: number): void {
    this.#now += ms;
  }

  /** Something happens outside, at a time. The loop hears of it in its next turn. */
  arrive(at: number, task: () => void): void {
    const index = this.#arrivals.findLastIndex((one) => one.at <= at);
    this.#arrivals.splice(index + 1, 0, { at, task });
  }

  /** Turns the loop until the time, or until nothing is left to do. */
  async run(until: number = Number.POSITIVE_INFINITY): Promise<void> {
    while (this.#now < until) {
      await this.#drain();
      const next = this.#arrivals[0];
      if (this.#turns.length === 0 && next === undefined) return;
      if (this.#turns.length === 0 && next !== undefined) this.#now = Math.max(this.#now, Math.min(next.at, until));
      // Poll: each arrival is a callback of its own.
      for (let one = this.#arrivals[0]; one !== undefined && one.at <= this.#now; one = this.#arrivals[0]) {
        this.#arrivals.shift();
        one.task();
        await this.#drain();
      }
      for (const task of this.#turns.splice(0)) {
        task();
        await this.#drain();
      }
    }
  }

  async #drain(): Promise<void> {
    for (;;) {
      for (let hops = 0; hops < 4; hops += 1) await Promise.resolve();
      const task = this.#drained.shift();
      if (task === undefined) return;
      task();
    }
  }
}
