/** The metadata of bookmarks. */

import { ANNOTATION } from '@listwatch/api';

/** A revision; `initialEventsEnd` marks the end of the initial events. */
export function bookmarkMetadata(revision: bigint, initialEventsEnd: boolean): Readonly<Record<string, unknown>> {
  const annotations = initialEventsEnd ? { annotations: { [ANNOTATION.initialEventsEnd]: 'true' } } : {};
  return { resourceVersion: String(revision), ...annotations };
}
