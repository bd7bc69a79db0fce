/** Fills the caches of controllers before they run, so that a replica that takes over can begin at once. */

import type { Clock } from '@listwatch/api';
import { groupResourceText } from '@listwatch/api';
import { abortable } from '@listwatch/api/internal';
import { linkSignal } from '@listwatch/client/internal';
import { ControllerError } from '../controller/controller-error.ts';
import { type FollowedResource, untilFilled } from '../controller/controller-sources.ts';
import type { Informer } from '../informer/informer.ts';
import type { SharedInformers } from '../informer/shared-informers.ts';
import { reasonOf } from './cache-report.ts';

/** What one controller will follow. */
export interface CacheDemand {
  readonly controller: string;
  readonly followed: readonly FollowedResource[];
  /** 0: for ever. */
  readonly syncTimeoutMs: number;
}

/** Opens the informers, and resolves when all are complete. Rejects with `SYNC_TIMEOUT`, or with the signal's reason. */
export async function fillCaches(
  informers: SharedInformers,
  demands: readonly CacheDemand[],
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const stop = linkSignal(signal);
  try {
    await Promise.all(demands.map((demand) => fill(informers, demand, clock, stop.signal)));
  } finally {
    // The other waits end too when one of them fails.
    stop.abort();
    stop.unlink();
  }
}

async function fill(
  informers: SharedInformers,
  { controller, followed, syncTimeoutMs }: CacheDemand,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const opened = followed.map(({ resource, selection }) =>
    informers.informer(resource, { ...selection, syncTimeoutMs: 0 }),
  );
  const late = linkSignal(signal);
  const cancel =
    syncTimeoutMs === 0
      ? undefined
      : clock.after(syncTimeoutMs, () => late.abort(tooLate(controller, opened, syncTimeoutMs)));
  try {
    await abortable(Promise.all(opened.map((one) => untilFilled(one))).then(nothing), late.signal);
  } finally {
    cancel?.();
    late.unlink();
  }
}

function nothing(): void {}

function tooLate(controller: string, opened: readonly Informer[], ms: number): ControllerError {
  const late = opened.find(({ hasSynced }) => !hasSynced);
  const reason = late && `${groupResourceText(late.resource)}: ${reasonOf(late.status)}`;
  return new ControllerError(
    'SYNC_TIMEOUT',
    `the controller ${controller} has no complete cache after ${ms} ms: ${reason}`,
  );
}
