/** What the log says about the store, in words for people who run the server. */

import type { StorageError } from '@listwatch/storage';
import type { EtcdReach } from '@listwatch/storage-etcd';
import type { Logger } from 'pino';

/** That etcd does not serve, or does again. */
export function logReach(log: Logger, reach: EtcdReach): void {
  switch (reach.type) {
    case 'lost':
      log.error(
        { reason: reach.reason },
        'no member of etcd serves: reads that accept old data and watches go on, everything else waits and then fails',
      );
      return;
    case 'back':
      log.info({ member: reach.endpoint }, `etcd serves again after ${(reach.downMs / 1000).toFixed(1)} s`);
      return;
    case 'moved':
      log.warn({ reason: reach.reason }, `etcd at ${reach.from} does not serve: ${reach.endpoint} is used`);
  }
}

/** What the server was doing when its store failed; without a method it was no request. */
export interface FailedWork {
  readonly method: string;
  readonly target: string;
  readonly auditId: string;
}

/** That the store has failed. The message of the error says what to do; its stack would not help. */
export function logStorageError(log: Logger, error: StorageError, { method, target, auditId }: FailedWork): void {
  const { code, message } = error;
  if (method !== '') log.error({ code, method, target, auditId }, message);
  else if (target !== 'storage feed') log.error({ code, target }, message);
  else if (code === 'COMPACTED')
    log.warn(
      { code, reason: message },
      'the history was compacted before this server had read it: it loads the present state, and watches that are behind get 410 and list again',
    );
  else log.error({ code, reason: message }, 'the store cannot be followed: its state is loaded again');
}
