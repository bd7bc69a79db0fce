/** What a relay makes of a request: read from the cache, and from which state, or pass it on. */

import type { Route } from '@listwatch/server/read';
import type { RelayedKind } from '../kinds/relayed-kind.ts';

/** Why a request is passed on. Few, and fixed: they are labels of a metric. */
export type PassReason =
  | 'credentials'
  | 'field selector'
  | 'form'
  | 'kind'
  | 'loading'
  | 'method'
  | 'most recent'
  | 'options'
  | 'path'
  | 'upgrade'
  | 'version';

/** The state that a read needs. */
export type NeededState =
  /** Any. */
  | { readonly type: 'any' }
  /** This version or a later one. */
  | { readonly type: 'notOlderThan'; readonly revision: bigint }
  /** This version alone. */
  | { readonly type: 'exact'; readonly revision: bigint }
  /** The changes after this version. */
  | { readonly type: 'after'; readonly revision: bigint };

/** A read that the cache of a kind can answer. */
export interface ReadPlan {
  readonly type: 'read';
  readonly verb: 'get' | 'list' | 'watch';
  readonly kind: RelayedKind;
  readonly needs: NeededState;
}

/** A request that another server answers. */
export interface PassPlan {
  readonly type: 'pass';
  readonly reason: PassReason;
}

/** The head of a request. */
export interface ReadHead {
  readonly route: Route;
  /** As it was sent. */
  readonly target: string;
  readonly accept: string | undefined;
  readonly rawHeaders: readonly string[];
}
