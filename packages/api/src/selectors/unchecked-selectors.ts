/** In a browser: the server says what is wrong with a selector. The parser would be a sixth of what a page downloads. */

import type { ListOptions } from '@listwatch/api';

/** Takes every selector. */
export function checkSelectors(_query: Pick<ListOptions, 'fieldSelector' | 'labelSelector'>): void {}
