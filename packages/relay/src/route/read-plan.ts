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
  | 'no proof'
  | 'options'
  | 'path'
  | 'quiet'
  | 'upgrade'
  | 'version';

/** The state that a read needs. */
export type NeededState =
  /** Any. */
  | { readonly type: 'any' }
  /** This version or a later one. */
  | { readonly type: 'notOlderThan'; readonly revision: bigint }
  /** This version alone. `isContinued`: it was that of a page before, which may have come from the upstream. */
  | { readonly type: 'exact'; readonly revision: bigint; readonly isContinued?: boolean | undefined }
  /** Everything that was acknowledged before. `isMarked`: its objects end with a bookmark. */
  | { readonly type: 'newest'; readonly isMarked: boolean }
  /** The changes after this version. */
  | { readonly type: 'after'; readonly revision: bigint };

/** A read that the cache of a kind can answer. */
export interface ReadPlan {
  readonly type: 'read';
  readonly verb: 'get' | 'list' | 'watch';
  readonly kind: RelayedKind;
  readonly needs: NeededState;
  /** Objects at most; 0: no limit. */
  readonly limit: number;
  /** Is it about one name? */
  readonly isOneName: boolean;
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
