/** Deletes bootstrap tokens that have expired. */

import { isConflict, isNotFound } from '@listwatch/api';
import type { BuiltInController } from './built-in-controller.ts';
import { type Secret, secrets } from './core-resources.ts';
import { runController } from './run-controller.ts';

const NAMESPACE = 'kube-system';
const TYPE = 'bootstrap.kubernetes.io/token';

/**
 * The longest wait before an expiration is compared with the clock again. Timers do not see that the clock was set, or that
 * the machine slept; the comparison reads the cache and sends nothing.
 */
const MAX_WAIT_MS = 60 * 60 * 1000;

/** Follows the bootstrap tokens of kube-system. Each waits in the queue until it expires; there is no other timer. */
export function tokenCleaner(): BuiltInController {
  return {
    name: 'token-cleaner-controller',
    signalsReady: true,
    run: (surroundings) =>
      runController<Secret>(surroundings, {
        name: 'token-cleaner-controller',
        for: secrets,
        selection: { namespace: NAMESPACE, fieldSelector: `type=${TYPE}` },
        concurrency: 4,
        reconcile: async ({ object }) => {
          if (object?.type !== TYPE) return;
          const { cluster, signal } = surroundings;
          const remainingMs = untilExpiration(object, cluster.clock.now());
          if (remainingMs === undefined) return;
          if (remainingMs > 0) return { requeueAfterMs: Math.min(remainingMs, MAX_WAIT_MS) };
          const { name, uid = '' } = object.metadata;
          try {
            await cluster.delete(secrets, { namespace: NAMESPACE, name }, { signal, preconditions: { uid } });
          } catch (error) {
            // Another token of the same name, or none: this one is gone.
            if (!isNotFound(error) && !isConflict(error)) throw error;
          }
          return undefined;
        },
      }),
  };
}

/** Undefined: never. A time that cannot be read counts as passed, as in Kubernetes. */
function untilExpiration({ data = {} }: Secret, now: number): number | undefined {
  const text = decoded(data['expiration'] ?? '');
  if (text === '') return undefined;
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}

function decoded(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
