/** Runs a `controller()` of the runtime as a built-in controller. */

import type { ApiObject } from '@listwatch/api';
import { type ControllerOptions, controller, type Informer, type InformerWarning } from '@listwatch/runtime';
import type { ControllerSurroundings } from './built-in-controller.ts';

/**
 * Runs until the signal is aborted. Requests of a reconcile should use the signal of the surroundings: `stopGraceMs` is time
 * by the clock, and a fake clock may stand still when a test ends.
 */
export async function runController<T extends ApiObject>(
  surroundings: ControllerSurroundings,
  options: Omit<ControllerOptions<T>, 'informers' | 'logger' | 'readYourWritesMs' | 'syncTimeoutMs'>,
): Promise<void> {
  const { cluster, informers, logger, signal, onReady, onController } = surroundings;
  const onWarning = ({ message, ...facts }: InformerWarning): void => logger.warn({ ...facts }, message);
  const watches = (options.watches ?? []).map((source) => ({
    ...source,
    selection: { ...source.selection, onWarning },
  }));
  const selection = { ...options.selection, onWarning };
  // Shares of the informers that the controller uses: they tell when its caches are complete.
  const shares: readonly Pick<Informer, 'close' | 'synced'>[] = [
    informers.informer(options.for, { ...selection, syncTimeoutMs: 0 }),
    ...watches.map((source) => informers.informer(source.resource, { ...source.selection, syncTimeoutMs: 0 })),
  ];
  const made = controller(cluster, {
    ...options,
    reconcile: async (request, context) => {
      try {
        return await options.reconcile(request, context);
      } catch (error) {
        // A request that a stop has cut is no failure.
        if (signal.aborted) return undefined;
        throw error;
      }
    },
    watches,
    selection,
    informers,
    logger,
    syncTimeoutMs: 0,
    // The reconciles tolerate a cache that lags: a create that comes too late is answered 409.
    readYourWritesMs: 0,
  });
  onController?.(made);
  try {
    void Promise.all(shares.map(({ synced }) => synced)).then(onReady, () => undefined);
    await made.run({ signal });
  } finally {
    await Promise.all(shares.map((share) => share.close()));
  }
}
