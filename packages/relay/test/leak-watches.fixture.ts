/** Watches that stay open while rights change: those that the upstream refuses by now have to end. */

import type { ApiServer } from '@listwatch/server';
import type { LeakWorld } from './leak-world.fixture.ts';

/** As old as a decision of a relay may be: guarantee 6 of the design note. */
export const DECISION_MS = 10_000;

/** Turns of waiting for watches to end between two writes. */
const WRITE_EVERY = 20;
/** So long a watch that goes on may take to show what was written. */
const SHOWN_MS = 2000;

const OBJECT = /"name":"(cm-\d+)","namespace":"(ns-\d+)"/gu;

interface OpenWatch {
  readonly user: string;
  readonly target: string;
  readonly stop: AbortController;
  /** Objects that it was shown and that are not within what was asked for. */
  readonly foreign: string[];
  events: number;
  /** When it was last shown an object, and when it ended, by `performance.now()`. */
  shownAt: number;
  ended: number | undefined;
}

/** A watch that shows what the upstream refuses. */
export interface WatchLeak {
  readonly user: string;
  readonly target: string;
  readonly why: string;
}

export class LeakWatches implements Disposable {
  readonly #world: LeakWorld;
  readonly #count: number;
  readonly #patienceMs: number;
  #open: OpenWatch[] = [];
  /** Watches that were opened, that have ended because their right has gone (how long the slowest took), and that ended although it had not. */
  readonly counts: { opened: number; revoked: number; lost: number; events: number; longestMs: number } = {
    opened: 0,
    revoked: 0,
    lost: 0,
    events: 0,
    longestMs: 0,
  };

  constructor(world: LeakWorld, count: number, patienceMs: number = DECISION_MS) {
    this.#world = world;
    this.#count = count;
    this.#patienceMs = patienceMs;
  }

  get open(): number {
    return this.#open.length;
  }

  /** Opens as many as are missing, as far as users have rights to them. */
  async fill(): Promise<void> {
    const world = this.#world;
    // Most of them are refused: with few rights there may be less watches than were asked for.
    for (let tries = 20 * (this.#count - this.#open.length); tries > 0 && this.#open.length < this.#count; tries -= 1) {
      const { user } = world;
      const target = world.watchTarget();
      const stop = new AbortController();
      const answer = await world.open(user, target, stop.signal);
      if (answer.status !== 200) continue;
      const watch: OpenWatch = { user, target, stop, foreign: [], events: 0, shownAt: 0, ended: undefined };
      this.#open.push(watch);
      this.counts.opened += 1;
      void this.#follow(watch, answer.body);
    }
  }

  /**
   * Asks the upstream about the watches of these users, waits until the refused ones have ended, and names those that go on.
   * `since`: when the relay heard of the change, by `performance.now()`.
   */
  async afterChange(concerns: (user: string) => boolean, since: number): Promise<readonly WatchLeak[]> {
    const answers = new Map<string, Promise<boolean>>();
    const isAllowed = ({ user, target }: OpenWatch): Promise<boolean> => {
      const key = `${user} ${target}`;
      const known = answers.get(key) ?? this.#world.direct(user, target).then(({ status }) => status !== 403);
      answers.set(key, known);
      return known;
    };
    const refused: OpenWatch[] = [];
    for (const watch of this.#open) {
      if (!concerns(watch.user) && watch.ended === undefined) continue;
      if (!(await isAllowed(watch))) refused.push(watch);
      else if (watch.ended !== undefined) this.counts.lost += 1;
    }
    const deadline = performance.now() + this.#patienceMs;
    const until = async (isTrue: () => boolean, last: number): Promise<void> => {
      for (let turn = 0; !isTrue() && performance.now() < last; turn += 1) {
        // Whoever is still shown something is shown this.
        if (turn % WRITE_EVERY === 0) await this.#world.touchAll();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const isLate = ({ shownAt }: OpenWatch): boolean => shownAt > since + this.#patienceMs;
    await until(() => refused.every(({ ended }) => ended !== undefined), deadline);
    const goingOn = refused.filter(({ ended }) => ended === undefined);
    if (goingOn.length > 0) await until(() => goingOn.some(isLate), performance.now() + SHOWN_MS);
    const leaks = goingOn.map((watch) => ({ ...named(watch), why: 'goes on' }));
    const late = refused.filter(isLate).map((watch) => ({
      ...named(watch),
      why: `was shown an object ${Math.round(watch.shownAt - since)} ms after its right went`,
    }));
    this.counts.revoked += refused.length - goingOn.length;
    for (const { ended = since } of refused) this.counts.longestMs = Math.max(this.counts.longestMs, ended - since);
    const foreign = this.#open
      .filter((watch) => watch.foreign.length > 0)
      .map((watch) => ({ ...named(watch), why: `shows ${watch.foreign.join(', ')}` }));
    this.#open = this.#open.filter(({ ended }) => ended === undefined);
    return [...leaks, ...late, ...foreign];
  }

  [Symbol.dispose](): void {
    for (const { stop } of this.#open) stop.abort();
  }

  async #follow(watch: OpenWatch, body: Awaited<ReturnType<ApiServer['handle']>>['body']): Promise<void> {
    const { namespace, name } = scopeOf(watch.target);
    try {
      for await (const chunk of body) {
        const text = Buffer.from(chunk).toString('utf8');
        for (const [, shown = '', place = ''] of text.matchAll(OBJECT)) {
          watch.events += 1;
          watch.shownAt = performance.now();
          this.counts.events += 1;
          if ((namespace !== undefined && place !== namespace) || (name !== undefined && shown !== name))
            watch.foreign.push(`${place}/${shown}`);
        }
      }
    } catch {
      // A watch that is cut has ended, too.
    }
    watch.ended = performance.now();
  }
}

function scopeOf(target: string): { readonly namespace: string | undefined; readonly name: string | undefined } {
  return {
    namespace: /\/namespaces\/(ns-\d+)\//u.exec(target)?.[1],
    name: /metadata\.name%3D(cm-\d+)/u.exec(target)?.[1],
  };
}

function named({ user, target }: OpenWatch): { readonly user: string; readonly target: string } {
  return { user, target };
}
