/** Handlers that were added to an informer. */

/** Call it to remove the handlers: it resolves when a call that is running has ended. */
export interface Registration {
  (): Promise<void>;
  /** Resolves when the handlers have processed everything that was in the store when the informer had synced. */
  readonly synced: Promise<void>;
  /** How many changes wait for the handlers. */
  readonly depth: number;
  /** Calls these handlers with every object once more, as updates. */
  resync(): void;
}

/** A registration with the members of `handlers` that is removed by `off`. */
export function registrationOf(
  handlers: Pick<Registration, 'depth' | 'resync' | 'synced'>,
  off: () => Promise<void>,
): Registration {
  const called = Object.assign((): Promise<void> => off(), {
    synced: handlers.synced,
    depth: 0,
    resync: () => handlers.resync(),
  });
  // A getter: an assigned value would never change.
  return Object.defineProperty(called, 'depth', { get: () => handlers.depth });
}
