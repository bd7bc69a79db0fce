/** Compares what a relay shows with what its upstream allows. */

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
  readonly leaks: readonly Leak[];
}

export interface LeakRun {
  /** How often rights change. */
  readonly changes: number;
  /** Requests between two changes. */
  readonly requests: number;
}

/** Between two changes of rights the relay has to decide as the upstream does: it has heard of the last one. */
export async function findLeaks(world: LeakWorld, { changes, requests }: LeakRun): Promise<LeakReport> {
  const leaks: Leak[] = [];
  let [allowed, refused] = [0, 0];
  for (let change = 0; change < changes; change += 1) {
    await world.changeRights();
    // Some users ask for the same again and again: those are the ones who find a decision that was kept.
    const asked = Array.from({ length: requests }, () => ({ user: world.user, target: world.target() }));
    for (const { user, target } of [...asked, ...asked.slice(0, 5)]) {
      const [relay, upstream] = await Promise.all([world.through(user, target), world.direct(user, target)]);
      if (upstream.status === 403) refused += 1;
      else allowed += 1;
      const showsOthers =
        relay.status === 200 &&
        upstream.status === 200 &&
        namesIn(relay.body).some((name) => !upstream.body.includes(name));
      if (relay.status !== upstream.status || showsOthers)
        leaks.push({ user, target, relay: relay.status, upstream: upstream.status });
    }
  }
  return { requests: allowed + refused, allowed, refused, leaks };
}

/** Every object says in its data where it is. */
function namesIn(body: string): readonly string[] {
  return [...new Set([...body.matchAll(/"of":"(ns-\d+)"/gu)].map(([text]) => text))];
}
