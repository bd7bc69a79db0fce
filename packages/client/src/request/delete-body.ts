/** The body of a delete. */

import type { DeleteOptions } from '../cluster.ts';

/** The `DeleteOptions` of the API; `undefined` when all are absent, so that no body is sent. */
export function deleteBody(options: DeleteOptions): object | undefined {
  const { dryRun, gracePeriodSeconds, propagationPolicy, preconditions } = options;
  const said = {
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
  return Object.keys(said).length === 0 ? undefined : { kind: 'DeleteOptions', apiVersion: 'v1', ...said };
}
