/** What was kept of a kind while the process was gone, and who keeps it. */

import type { CacheGeneration } from '@listwatch/server/read';

/** An object as it was served. */
export interface KeptObject {
  /** The path below the folder of the kind. */
  readonly key: string;
  readonly revision: bigint;
  readonly value: Uint8Array;
}

/** A change of an object. */
export interface KeptChange {
  readonly key: string;
  readonly revision: bigint;
  /** Undefined: it was deleted. */
  readonly value: Uint8Array | undefined;
}

/** Changes that became visible together. */
export interface KeptBatch {
  /** Every change up to this version is known. */
  readonly revision: bigint;
  readonly changes: readonly KeptChange[];
}

/** A kind as it was: a state, and the changes after it, from which watches can go on. */
export interface KeptKind {
  /** That of the state. */
  readonly revision: bigint;
  readonly objects: readonly KeptObject[];
  readonly batches: readonly KeptBatch[];
  /** How long ago something came last. */
  readonly ageMs: number;
}

/** Keeps one kind. It never fails: what cannot be kept is listed again. */
export interface KindKeeper {
  /** May it be served while the upstream does not say which cluster it is? */
  readonly servesUnasked: boolean;
  /** Asked once, before the first watch, when the upstream has said which cluster it is. Undefined: there is nothing to go on with. */
  load(): Promise<KeptKind | undefined>;
  /** What `load` gave cannot be read as objects of the kind. */
  refuse(error: unknown): void;
  /** Another generation begins: it is kept from now on. */
  follow(generation: CacheGeneration): void;
}
