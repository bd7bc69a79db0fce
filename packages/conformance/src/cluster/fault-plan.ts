/** Which faults a run has, in which order: drawn from its seed. */

import type { SeededRandom } from '../server/seeded-random.ts';

/** What is broken. `index` is that of a server, of an etcd member or of a relay. */
export type ClusterFault =
  | { readonly type: 'killServer' | 'stopServer' | 'isolateServer' | 'stallServer'; readonly index: number }
  | { readonly type: 'delayServer'; readonly index: number; readonly delayMs: number }
  /** The leader of the moment. */
  | { readonly type: 'killEtcdLeader' }
  | { readonly type: 'cutPeer' | 'slowDisk'; readonly index: number }
  | { readonly type: 'delayPeer'; readonly index: number; readonly delayMs: number }
  | { readonly type: 'rollingRestart' }
  /** All servers, one after the other, from the version that the run began with to the present one. */
  | { readonly type: 'upgrade'; readonly index: number; readonly isKilled: boolean }
  /** The history is compacted while a server is cut off from it. */
  | { readonly type: 'compactBehind'; readonly index: number }
  /** A relay of the chain; the way that is broken is the one to what it reads from. */
  | { readonly type: 'killRelay' | 'stopRelay' | 'isolateRelay' | 'stallRelay'; readonly index: number }
  /** The history is compacted while a relay is cut off from it. */
  | { readonly type: 'compactBehindRelay'; readonly index: number }
  /** The clocks of the clients. */
  | { readonly type: 'clockJump'; readonly byMs: number };

export interface FaultStep {
  readonly fault: ClusterFault;
  /** How long it lasts. */
  readonly forMs: number;
}

export type FaultType = ClusterFault['type'];

/** What is drawn. An `upgrade` is not: there is one in a run that begins with an earlier version. */
export const FAULT_TYPES: readonly FaultType[] = [
  'killServer',
  'stopServer',
  'isolateServer',
  'stallServer',
  'delayServer',
  'killEtcdLeader',
  'cutPeer',
  'delayPeer',
  'slowDisk',
  'rollingRestart',
  'compactBehind',
  'clockJump',
];

/** What is drawn beside them in a run with relays. */
export const RELAY_FAULT_TYPES: readonly FaultType[] = [
  'killRelay',
  'stopRelay',
  'isolateRelay',
  'stallRelay',
  'compactBehindRelay',
];

/** Servers and members: three of each. */
const SIZE = 3;
/** Relays in a chain, one behind the other. */
export const RELAYS = 2;
const HOUR_MS = 3_600_000;

/**
 * Draws the faults. No type comes twice before all have come once: a few runs cover them all. An upgrade comes first: the
 * promises are those of the present version.
 */
export function planFaults(
  random: SeededRandom,
  count: number,
  types: readonly FaultType[] = FAULT_TYPES,
  beginsEarlier = false,
): readonly FaultStep[] {
  const steps: FaultStep[] = beginsEarlier ? [stepOf('upgrade', random)] : [];
  let left: FaultType[] = [];
  while (steps.length < count) {
    if (left.length === 0) left = [...types];
    const type = random.pick(left);
    left = left.filter((one) => one !== type);
    steps.push(stepOf(type, random));
  }
  return steps;
}

function stepOf(type: FaultType, random: SeededRandom): FaultStep {
  return { fault: faultOf(type, random), forMs: 1000 + random.below(3000) };
}

function faultOf(type: FaultType, random: SeededRandom): ClusterFault {
  const index = random.below(SIZE);
  switch (type) {
    case 'delayServer':
    case 'delayPeer':
      return { type, index, delayMs: 20 + random.below(300) };
    case 'killEtcdLeader':
    case 'rollingRestart':
      return { type };
    case 'upgrade':
      return { type, index, isKilled: random.chance(0.5) };
    case 'clockJump':
      return { type, byMs: (random.chance(0.5) ? 1 : -1) * (1 + random.below(24)) * HOUR_MS };
    case 'compactBehindRelay':
    case 'isolateRelay':
    case 'killRelay':
    case 'stallRelay':
    case 'stopRelay':
      return { type, index: index % RELAYS };
    case 'compactBehind':
    case 'cutPeer':
    case 'isolateServer':
    case 'killServer':
    case 'slowDisk':
    case 'stallServer':
    case 'stopServer':
      return { type, index };
  }
}

/** For the log of a run. */
export function faultText({ fault, forMs }: FaultStep): string {
  const { type, ...facts } = fault;
  const details = Object.entries(facts).map(([name, value]) => `${name}=${value}`);
  return [type, ...details, `for ${forMs} ms`].join(' ');
}
