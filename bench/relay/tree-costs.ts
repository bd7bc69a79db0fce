/** What each thing costs in a tree of relays. CPU in microseconds, memory in bytes. */

import { knownUnitCosts } from '../capacity/known-unit-costs.ts';
import type { Transport } from '../capacity/unit-costs.ts';

export interface TreeCosts {
  /** A change that comes from above, until it can be sent on. */
  readonly apply: number;
  /** A write to the socket of a watch, and an event in it. */
  readonly flush: number;
  readonly event: number;
  /** A connection with its handshake, and the first watch on it. */
  readonly connect: number;
  /** An answer of the server at the top to a question about a token or a right. */
  readonly review: number;
  /** All objects to one client. */
  readonly list: number;
  readonly idleWatch: number;
  readonly watchBytes: number;
  readonly baseBytes: number;
  readonly objectsBytes: number;
}

/** Estimates: an event of a relay into its cache, and a connection with a watch. See docs/design/0047-relay.md. */
const APPLY = 100;
const CONNECT = 1000;
/** An estimate: a SubjectAccessReview of kube-apiserver. */
const REVIEW = 200;
const EVENT_BYTES = 45;

/** From the unit costs of one server, which are measured by `bench:capacity`. */
export function treeCosts(transport: Transport, objects: number, objectBytes: number): TreeCosts {
  const { etcd } = knownUnitCosts();
  const { flush, event } = etcd.delivery[transport];
  const perConnection = transport === 'h1' ? 1 : 100;
  return {
    apply: APPLY,
    flush,
    event: event.fixed + event.perByte * (objectBytes + EVENT_BYTES),
    connect: CONNECT,
    review: REVIEW,
    list: etcd.listMicros.fixed + etcd.listMicros.perByte * objects * objectBytes,
    idleWatch: etcd.idleWatcherMicros,
    watchBytes: etcd.connectionBytes[transport] / perConnection + etcd.watcherBytes[transport],
    baseBytes: etcd.baseBytes,
    objectsBytes: objects * (etcd.objectBytes.fixed + etcd.objectBytes.perByte * objectBytes),
  };
}
