/** A change as it is shown. */

import type { ApiObject } from '@listwatch/api';

/** In the words of the wire, which people know from kubectl. */
export interface WatchedChange {
  readonly type: 'ADDED' | 'DELETED' | 'MODIFIED';
  readonly object: ApiObject;
  /** It was there before we came. */
  readonly initial: boolean;
  /** False for a delete that was missed: `object` then has no more than a name. */
  readonly finalStateKnown: boolean;
}
