/** Compares what a relay shows with what its upstream allows. */

import { LeakWatches, type WatchLeak } from './leak-watches.fixture.ts';
import type { LeakWorld } from './leak-world.fixture.ts';

/** A request that the relay answered with an object although the upstream refuses it, or the other way round. */
export interface Leak {
  readonly user: string;
  readonly target: string;
  readonly relay: number;
  readonly upstream: number;
}

export interface LeakReport {
  readonly requests: number;
  readonly allowed: number;
  readonly refused: number;
  readonly leaks: readonly (Leak | WatchLeak)[];
  readonly watches: LeakWatches['counts'] & { readonly open: number };
}

export interface LeakRun {
  /** How often rights change. */
  readonly changes: number;
  /** Requests between two changes. */
  readonly requests: number;
  /** Watches that are open all the time. Default: 0. */
  readonly watches?: number | undefined;
  /** How long a watch whose right has gone may go on. Default: the age of a decision. */
  readonly patienceMs?: number | undefined;
}

/** More at once are no other test. */
const LANES = 16;
/** Changes between two moments at which users of all rights ask for the same: each takes as long as a quiet kind is waited for. */
const TOGETHER_EVERY = 4;

/** Between two changes of rights the relay has to decide as the upstream does: it has heard of the last one. */
export async function findLeaks(world: LeakWorld, run: LeakRun): Promise<LeakReport> {
  const leaks: (Leak | WatchLeak)[] = [];
  using watches = new LeakWatches(world, run.watches ?? 0, run.patienceMs);
  let [allowed, refused] = [0, 0];
  const compare = async ({ user, target }: Asked): Promise<void> => {
    const [relay, upstream] = await Promise.all([world.through(user, target), world.direct(user, target)]);
    if (upstream.status === 403) refused += 1;
    else allowed += 1;
    const showsOthers =
      relay.status === 200 &&
      upstream.status === 200 &&
      namesIn(relay.body).some((name) => !upstream.body.includes(name));
    if (relay.status !== upstream.status || showsOthers)
      leaks.push({ user, target, relay: relay.status, upstream: upstream.status });
  };
  for (let change = 0; change < run.changes; change += 1) {
    await watches.fill();
    const concerns = await world.changeRights();
    const heard = performance.now();
    // Some users ask for the same again and again: those are the ones who find a decision that was kept.
    const asked = Array.from({ length: run.requests }, () => ({ user: world.user, target: world.target() }));
    await inLanes([...asked, ...asked.slice(0, 5)], compare);
    if (change % TOGETHER_EVERY === 0) await inLanes(world.together(LANES), compare);
    leaks.push(...(await watches.afterChange(concerns, heard)));
    if (run.watches !== undefined) await world.touch(world.namespace);
  }
  leaks.push(...(await watches.afterChange(() => true, performance.now())));
  return {
    requests: allowed + refused,
    allowed,
    refused,
    leaks,
    watches: { ...watches.counts, open: watches.open },
  };
}

interface Asked {
  readonly user: string;
  readonly target: string;
}

async function inLanes(asked: readonly Asked[], compare: (one: Asked) => Promise<void>): Promise<void> {
  const left = asked.values();
  const lane = async (): Promise<void> => {
    for (const one of left) await compare(one);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Every object says in its data where it is. */
function namesIn(body: string): readonly string[] {
  return [...new Set([...body.matchAll(/"of":"(ns-\d+)"/gu)].map(([text]) => text))];
}
