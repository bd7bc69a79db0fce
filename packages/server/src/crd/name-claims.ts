/**
 * Lets one server at a time give out the names of definitions, where several share a store. Each decides on its own caches, which
 * may not show what another one gave out a moment ago.
 */

import { type AlongsidePut, type StorageEngine, StorageError } from '@listwatch/storage';

/** Outside of the registry: the caches do not read claims. */
const CLAIMS_ROOT = '/claims/definitions/';

/** Groups share the claims, so that their number is bounded whatever groups come and go. */
const CLAIMS = 64;

/** What it needs of the server. */
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
   * What to commit along with a definition that gets names. When it resolves, the caches show every name that was given out
   * before; if another one is given out until the commit, the commit is refused. Undefined: no other server writes to the store.
   */
  async claim(group: string, name: string, signal: AbortSignal): Promise<AlongsidePut | undefined> {
    const { engine, reached } = this.#parts;
    if (!engine.capabilities.alongside) return undefined;
    const key = `${CLAIMS_ROOT}${bucketOf(group)}`;
    const { entry } = await engine.get(key, { signal });
    const expected = entry?.modRevision ?? 0n;
    if (!(await reached(expected))) {
      const message = `the caches have not reached revision ${expected}: the names of ${name} are given out later`;
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
