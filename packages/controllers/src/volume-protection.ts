/** Lets deleted volumes go that no claim is bound to: the server creates every volume with a finalizer. */

import type { BuiltInController } from './built-in-controller.ts';
import { type Volume, volumes } from './core-resources.ts';
import { withoutFinalizer } from './finalizer-removal.ts';
import { runController } from './run-controller.ts';

const NAME = 'persistentvolume-protection-controller';
const FINALIZER = 'kubernetes.io/pv-protection';

/** A volume in the phase `Bound` stays until it is released. */
export function volumeProtection(): BuiltInController {
  return {
    name: NAME,
    signalsReady: true,
    run: (surroundings) =>
      runController<Volume>(surroundings, {
        name: NAME,
        for: volumes,
        reconcile: async ({ object }) => {
          if (object?.metadata.deletionTimestamp === undefined || object.status?.phase === 'Bound') return;
          await withoutFinalizer(surroundings, volumes, object, FINALIZER);
        },
      }),
  };
}
