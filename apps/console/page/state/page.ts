/** What every view uses once the page is logged in. */

import type { ConsoleSession } from '@listwatch/api/console';
import type { Cluster } from '@listwatch/client';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

export interface PageContext {
  readonly session: ConsoleSession;
  readonly cluster: Cluster;
}

export const Page = createContext<PageContext | undefined>(undefined);

/** Only below the login. */
export function usePage(): PageContext {
  const page = useContext(Page);
  if (page === undefined) throw new TypeError('usePage outside of the page');
  return page;
}
