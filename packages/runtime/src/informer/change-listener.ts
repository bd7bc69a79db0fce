/** Whoever follows the changes of an informer. */

import type { ApiObject } from '@listwatch/api';
import type { StoreChange } from '../reflector/store-change.ts';

export interface ChangeListener<T extends ApiObject> {
  /** The store has been changed so. Must not throw and must not take long: it only notes and wakes. */
  push(changes: readonly StoreChange<T>[]): void;
  /** The informer has its first complete state. */
  markSynced(): void;
  resync(): void;
  /** Nothing follows; resolves when nothing of it runs any more. */
  close(): Promise<void>;
}

/** Where listeners come and go. */
export interface ListenerSet<T extends ApiObject> {
  add(listener: ChangeListener<T>): void;
  delete(listener: ChangeListener<T>): void;
}
