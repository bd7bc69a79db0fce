/** What a request is about, read from its method, path and query. */

import type { Query, RequestPath } from '@listwatch/api';

/** How a request counts towards the limits. */
export type RequestKind = 'mutating' | 'read' | 'watch';

/** The facts that the steps of the pipeline share. */
export interface RequestInfo {
  readonly method: string;
  /** Percent-encoded as it came. */
  readonly rawPath: string;
  readonly path: RequestPath;
  readonly query: Query;
  /** The verb of the API, or the method in lower case when the path is no resource. */
  readonly verb: string;
  readonly kind: RequestKind;
}
