/** The `Accept` header of requests. */

import { MEDIA_TYPE, META_GROUP } from '@listwatch/api';
import type { ProjectionOptions } from '../cluster.ts';

/** Single objects (get, watch), or a list. */
export type AcceptedForm = 'list' | 'object';

/**
 * The value of `Accept`. A projection is always offered together with plain JSON: a server that does not know it (an old
 * one, an aggregated one) then sends the objects whole, instead of refusing with 406.
 */
export function acceptHeader({ projection = 'full' }: ProjectionOptions, form: AcceptedForm): string {
  if (projection === 'full') return MEDIA_TYPE.json;
  const kind = form === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return `${MEDIA_TYPE.json};as=${kind};g=${META_GROUP};v=v1,${MEDIA_TYPE.json}`;
}
