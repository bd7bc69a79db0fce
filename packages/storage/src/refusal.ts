/** The compare of compare-and-commit, for the engines that decide it themselves. */

import {
  type AlongsidePut,
  type BlockingKey,
  type Change,
  type CommitGuard,
  MAX_OTHER_KEYS,
  type RefusalReason,
  type Revision,
} from './storage-engine.ts';
import { checkKey } from './storage-key.ts';

/** Why a change is refused. */
export type Refusal =
  | { readonly reason: RefusalReason }
  | { readonly reason: 'BLOCKED'; readonly blockedBy: BlockingKey };

/**
 * Why `change` cannot be committed on a key that stands at `current` (0 = it does not exist); undefined if it can.
 * `standing` tells where another key stands.
 */
export function refusal(change: Change, current: number, standing: (key: string) => number): Refusal | undefined {
  const reason = ownRefusal(change, current);
  if (reason !== undefined) return { reason };
  const { guards } = change;
  if (guards !== undefined) {
    for (const { key, revision: wanted } of guards) {
      const revision = BigInt(standing(key));
      if (revision !== wanted) return { reason: 'BLOCKED', blockedBy: { type: 'guard', key, revision } };
    }
  }
  if (change.type === 'delete' || change.alongside === undefined) return undefined;
  for (const { key, expected } of change.alongside) {
    const revision = BigInt(standing(key));
    if (revision !== expected) return { reason: 'BLOCKED', blockedBy: { type: 'alongside', key, revision } };
  }
  return undefined;
}

function ownRefusal(change: Change, current: number): RefusalReason | undefined {
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
  const { expected, guards } = change;
  if (expected !== undefined) checkRevision(expected, 'expected');
  if (guards !== undefined) checkGuards(guards, change);
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
  if (change.alongside === undefined) return;
  if (!takesAlongside) throw new TypeError('this engine commits one key at a time (capabilities.alongside)');
  checkAlongside(change.alongside, change);
}

function checkRevision(revision: Revision, name: string): void {
  if (typeof revision === 'bigint' && revision >= 0n) return;
  throw new RangeError(`${name} must be a revision of 0n or more, got ${String(revision)}`);
}

function checkGuards(guards: readonly CommitGuard[], { key: own }: Change): void {
  checkCount(guards.length);
  for (const { key, revision } of guards) {
    checkKey(key);
    if (key === own) throw new RangeError(`the change of ${JSON.stringify(key)} guards its own key: use expected`);
    checkRevision(revision, 'revision of a guard');
  }
}

function checkAlongside(alongside: readonly AlongsidePut[], { key, expected, guards = [] }: Change): void {
  checkCount(alongside.length + guards.length);
  if (expected === undefined) throw new TypeError('a change with alongside needs an expected of its own');
  const keys = new Set([key]);
  for (const put of alongside) {
    checkKey(put.key);
    if (keys.has(put.key)) throw new RangeError(`alongside writes the key ${JSON.stringify(put.key)} twice`);
    keys.add(put.key);
    if (!(put.value instanceof Uint8Array)) throw new TypeError('the value of alongside must be bytes (a Uint8Array)');
    checkRevision(put.expected, 'expected of alongside');
  }
  const guarded = guards.find((guard) => keys.has(guard.key));
  if (guarded !== undefined) throw new RangeError(`alongside writes ${JSON.stringify(guarded.key)}, which is guarded`);
}

function checkCount(count: number): void {
  if (count <= MAX_OTHER_KEYS) return;
  throw new RangeError(`a change has at most ${MAX_OTHER_KEYS} guards and alongside puts, got ${count}`);
}
