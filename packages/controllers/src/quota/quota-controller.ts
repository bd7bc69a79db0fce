/** Counts what each namespace uses of its quotas. Start here. */

import type { BuiltInController } from '../built-in-controller.ts';
import { QuotaRun } from './quota-run.ts';

const NAME = 'resourcequota-controller';

/**
 * Makes the controller. It copies the limits of a ResourceQuota to its status, where admission reads them, and counts again
 * when an object that it counts comes, goes or changes. Only kinds that some quota names are watched.
 */
export function quotaController(): BuiltInController {
  return { name: NAME, signalsReady: true, run: (surroundings) => new QuotaRun(surroundings).run() };
}
