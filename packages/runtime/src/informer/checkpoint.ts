/** Where an informer keeps its cache while the process is gone. */

import type { ApiObject, ResourceVersion } from '@listwatch/api';

/** What a checkpoint is of. One of something else must not be used. */
export interface CheckpointIdentity {
  readonly server: string;
  /** `group/version/plural`. */
  readonly resource: string;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly projection: string;
}

/** A cache as it was. */
export interface CheckpointState<T extends ApiObject = ApiObject> {
  /** The version of each source: of each namespace, or of `''` for all. */
  readonly versions: ReadonlyMap<string, ResourceVersion>;
  readonly objects: readonly T[];
}

/** A cache as it is to be written: the JSON of each object. */
export interface CheckpointDraft {
  readonly versions: ReadonlyMap<string, ResourceVersion>;
  /** How many objects there are. */
  readonly size: number;
  readonly objects: Iterable<Uint8Array | string>;
}

/** Keeps one cache. `fileCheckpoint` keeps it in a file. */
export interface Checkpoint {
  /**
   * The state that was saved; `undefined` when there is none. One that is torn or of something else is set aside, once,
   * and `warn` is told.
   */
  load<T extends ApiObject>(
    identity: CheckpointIdentity,
    warn: (message: string, error?: unknown) => void,
  ): Promise<CheckpointState<T> | undefined>;
  /** Replaces what was saved, wholly or not at all. */
  save(identity: CheckpointIdentity, draft: CheckpointDraft): Promise<void>;
}
