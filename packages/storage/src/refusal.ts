/** The compare of compare-and-commit, for the engines that decide it themselves. */

import type { AlongsidePut, Change, CommitGuard, RefusalReason } from './storage-engine.ts';
import { checkKey } from './storage-key.ts';

/**
 * Why `change` cannot be committed on a key that stands at `current` (0 = it does not exist); undefined if it can.
 * `standing` tells where another key stands.
 */
export function refusal(change: Change, current: number, standing: (key: string) => number): RefusalReason | undefined {
  const reason = ownRefusal(change, current);
  if (reason !== undefined || change.type === 'delete' || change.guard === undefined) return reason;
  return change.guard.revision === BigInt(standing(change.guard.key)) ? undefined : 'CONFLICT';
}

/** As {@link refusal}, of the key itself. */
export function ownRefusal(change: Change, current: number): RefusalReason | undefined {
  const expected = change.expected;
  if (expected === undefined) return change.type === 'delete' && current === 0 ? 'KEY_NOT_FOUND' : undefined;
  if (expected === BigInt(current)) return undefined;
  if (current === 0) return 'KEY_NOT_FOUND';
  return expected === 0n ? 'KEY_EXISTS' : 'CONFLICT';
}

/**
 * Throws a `RangeError` or `TypeError` for a change that makes no sense, before anything is done with it. `takesAlongside`: what the
 * engine's capabilities say.
 */
export function checkChange(change: Change, takesAlongside: boolean = false): void {
  checkKey(change.key);
  const { expected } = change;
  if (expected !== undefined && (typeof expected !== 'bigint' || expected < 0n)) {
    throw new RangeError(`expected must be a revision of 0n or more, got ${String(expected)}`);
  }
  if (change.type === 'delete') {
    if (expected === 0n) throw new RangeError('a delete cannot expect the key to be absent (expected: 0n)');
    return;
  }
  if (change.type !== 'put')
    throw new TypeError(`change.type must be 'put' or 'delete', got ${JSON.stringify(change)}`);
  if (!(change.value instanceof Uint8Array)) throw new TypeError('value must be bytes (a Uint8Array)');
  const ttl = change.ttlSeconds;
  if (ttl !== undefined && !(Number.isSafeInteger(ttl) && ttl >= 1)) {
    throw new RangeError(`ttlSeconds must be a whole number of 1 or more, got ${ttl}`);
  }
  if (change.guard !== undefined) checkGuard(change.guard);
  if (change.alongside === undefined) return;
  if (!takesAlongside) throw new TypeError('this engine commits one key at a time (capabilities.alongside)');
  checkAlongside(change.alongside, change);
}

function checkGuard({ key, revision }: CommitGuard): void {
  checkKey(key);
  if (typeof revision !== 'bigint' || revision < 0n) {
    throw new RangeError(`guard.revision must be a revision of 0n or more, got ${String(revision)}`);
  }
}

function checkAlongside(alongside: readonly AlongsidePut[], { key, expected }: Change): void {
  if (expected === undefined) throw new TypeError('a change with alongside needs an expected of its own');
  const keys = new Set([key]);
  for (const put of alongside) {
    checkKey(put.key);
    if (keys.has(put.key)) throw new RangeError(`alongside writes the key ${JSON.stringify(put.key)} twice`);
    keys.add(put.key);
    if (!(put.value instanceof Uint8Array)) throw new TypeError('the value of alongside must be bytes (a Uint8Array)');
    if (typeof put.expected !== 'bigint' || put.expected < 0n) {
      throw new RangeError(`expected of alongside must be a revision of 0n or more, got ${String(put.expected)}`);
    }
  }
}
