/** One object as it was: an exact list of its name at a version. */

import type { ApiObject } from '@listwatch/api';
import type { ServedResource } from '@listwatch/client';
import { useEffect, useState } from 'preact/hooks';
import type { ObjectAddress } from '../logic/address.ts';
import { errorText } from '../logic/error-text.ts';
import { usePage } from './page.ts';

export interface PastObject {
  readonly object?: ApiObject | undefined;
  readonly isLoading: boolean;
  readonly problem?: string | undefined;
}

const SETTLE_MS = 60;

export function usePastObject(kind: ServedResource, { namespace, name, at }: ObjectAddress): PastObject {
  const { cluster } = usePage();
  const [state, setState] = useState<PastObject>({ isLoading: true });
  useEffect(() => {
    if (at === '') {
      setState({ isLoading: true });
      return undefined;
    }
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      try {
        const { items } = await cluster.list(kind, {
          namespace: namespace === '' ? undefined : namespace,
          fieldSelector: `metadata.name=${name}`,
          resourceVersion: at,
          resourceVersionMatch: 'Exact',
          signal: stop.signal,
        });
        setState({ object: items[0], isLoading: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        const message = errorText(error);
        setState({ isLoading: false, problem: `Version ${at} cannot be read: ${message}` });
      }
    };
    const timer = setTimeout(() => void read(), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [cluster, kind.group, kind.version, kind.plural, namespace, name, at]);
  return state;
}
