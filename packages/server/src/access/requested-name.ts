/** The name that authorization decides on. */

import { checkPathSegment, firstValue, NAME_FIELD, PARAM, parseFieldSelector, SelectorError } from '@listwatch/api';
import type { RequestInfo } from '../contract/request-info.ts';

/**
 * The name that a request is about: the path's, or the one that a field selector on a collection pins. Authorization
 * may allow the second where it refuses the whole collection.
 */
export function requestedName({ path, query, verb }: RequestInfo): string {
  if (path.type !== 'resource') return '';
  if (path.name !== '' || !['deletecollection', 'list', 'watch'].includes(verb)) return path.name;
  const selector = firstValue(query, PARAM.fieldSelector);
  if (selector === undefined || selector === '') return '';
  try {
    const pinned = parseFieldSelector(selector).exactTerms.find(({ key }) => key === NAME_FIELD)?.value ?? '';
    return checkPathSegment(pinned).length === 0 ? pinned : '';
  } catch (error) {
    // The verb says what is wrong with the selector; here it only names nothing.
    if (error instanceof SelectorError) return '';
    throw error;
  }
}
