/** What the log of a server must say about a fault, so that somebody who reads it understands what happened. */

import type { ClusterFault } from './fault-plan.ts';

const LOST = /no member of etcd serves/u;
const BACK = /etcd serves again after/u;
const COMPACTED = /history was compacted before this server had read it/u;
const ENDING = /ending: no new requests/u;
const READY = /Ready at/u;

/** By server: the lines that it must have written between the beginning of the fault and its end. */
export function expectedLines(fault: ClusterFault, servers: number): readonly (readonly RegExp[])[] {
  const all = Array.from({ length: servers }, (_, index) => index);
  switch (fault.type) {
    case 'isolateServer':
      return all.map((index) => (index === fault.index ? [LOST, BACK] : []));
    case 'compactBehind':
      return all.map((index) => (index === fault.index ? [LOST, BACK, COMPACTED] : []));
    case 'killServer':
      return all.map((index) => (index === fault.index ? [READY] : []));
    case 'rollingRestart':
      return all.map(() => [ENDING, READY]);
    case 'upgrade':
      return all.map(() => [READY]);
    // A server notices these only if they hit it: the member that it used, or a silence longer than its patience.
    case 'clockJump':
    case 'compactBehindRelay':
    case 'cutPeer':
    case 'delayPeer':
    case 'delayServer':
    case 'isolateRelay':
    case 'killEtcdLeader':
    case 'killRelay':
    case 'slowDisk':
    case 'stallRelay':
    case 'stallServer':
    case 'stopRelay':
    case 'stopServer':
      return all.map(() => []);
  }
}

/** What the logs do not say. `lines` are those of each server since the fault began. */
export function missingLines(fault: ClusterFault, lines: readonly (readonly string[])[]): readonly string[] {
  return expectedLines(fault, lines.length).flatMap((expected, index) =>
    expected
      .filter((line) => !lines[index]?.some((text) => line.test(text)))
      .map((line) => `the log of server ${index} does not say: ${line.source}`),
  );
}
