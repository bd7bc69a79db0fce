/** Where a target stands now. */

import { configMapPath } from './objects.ts';
import { withConnections } from './open-connection.ts';
import type { Target } from './target.ts';

/** The resourceVersion of a list made now. */
export function resourceVersion(target: Target, list: string = configMapPath()): Promise<string> {
  return withConnections(target, 'h1', 1, async ([connection]) => {
    const answer = await connection?.ask({ path: `${list}?limit=1`, keep: true });
    return /"resourceVersion":"(?<version>\d+)"/u.exec(answer?.body ?? '')?.groups?.['version'] ?? '';
  });
}
