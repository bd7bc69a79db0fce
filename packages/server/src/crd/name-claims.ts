/**
 * Lets one server at a time accept names of definitions where several servers share a store. Each server decides by its caches,
 * which may not show names that another server accepted a moment ago.
 */

import { type AlongsidePut, type StorageEngine, StorageError } from '@listwatch/storage';

/** Outside of the registry: the caches do not read claims. */
const CLAIMS_ROOT = '/claims/definitions/';

/** The number of claims. Groups share them, so that their number is bounded. */
const CLAIMS = 64;

/** The parts that claims need. */
export interface NameClaimsParts {
  readonly engine: Pick<StorageEngine, 'capabilities' | 'get'>;
  /** Resolves with true when the caches have reached a revision. */
  readonly reached: (revision: bigint) => Promise<boolean>;
}

/** The claims of one server. */
export class NameClaims {
  readonly #parts: NameClaimsParts;

  constructor(parts: NameClaimsParts) {
    this.#parts = parts;
  }

  /**
   * The claim to commit along with a definition that gets names. When this resolves, the caches show all names that were accepted
   * before. If another server accepts a name before the commit, the commit is refused. Undefined: no other server uses the store.
   */
  async claim(group: string, name: string, signal: AbortSignal): Promise<AlongsidePut | undefined> {
    const { engine, reached } = this.#parts;
    if (!engine.capabilities.alongside) return undefined;
    const key = `${CLAIMS_ROOT}${bucketOf(group)}`;
    const { entry } = await engine.get(key, { signal });
    const expected = entry?.modRevision ?? 0n;
    if (!(await reached(expected))) {
      const message = `the caches have not reached revision ${expected}: the names of ${name} are accepted later`;
      throw new StorageError('UNAVAILABLE', message, { key });
    }
    return { key, value: Buffer.from(name), expected };
  }
}

function bucketOf(group: string): number {
  let hash = 0;
  for (const character of group) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % CLAIMS;
}
