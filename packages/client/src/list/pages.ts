/** Reads the pages of a list, one after the other. */

import type { ApiObject } from '@listwatch/api';
import type { ListQuery } from '../cluster.ts';
import { TransportError } from '../transport/transport-error.ts';
import type { StreamedPage } from './streamed-page.ts';

/** Requests one page; `number` is 1 for the first. */
export type OpenPage<T extends ApiObject> = (query: ListQuery<T>, number: number) => Promise<StreamedPage<T>>;

/** All pages from `query` on. What is left unread of a page is skipped before the next one is requested. */
export async function* pages<T extends ApiObject>(
  query: ListQuery<T>,
  open: OpenPage<T>,
): AsyncGenerator<StreamedPage<T>, undefined> {
  let asked = query;
  for (let number = 1; ; number += 1) {
    const page = await open(asked, number);
    try {
      yield page;
      await page.skip();
    } finally {
      await page.close();
    }
    const token = page.metadata.continue ?? '';
    if (token === '') return undefined;
    // Such a server would cause an endless loop.
    if (token === asked.continue)
      throw new TransportError('PROTOCOL', `page ${number} has the continue token that was used to request it`);
    // The token contains the version; servers refuse a token with a version beside it.
    asked = { ...query, continue: token, resourceVersion: undefined, resourceVersionMatch: undefined };
  }
}
