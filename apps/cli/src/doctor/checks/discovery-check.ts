/** Does discovery work? */

import { apiVersionOf } from '@listwatch/api';
import { isWatchable } from '../../discovery/find-resource.ts';
import { countText, millisText } from '../amount-text.ts';
import type { Check } from '../check.ts';
import { explainProbe } from '../explain-probe.ts';
import { fail, note, ok, warn } from '../finding.ts';

const SLOW_MS = 3000;

export const discoveryCheck: Check = {
  name: 'discovery',
  about: 'what the server serves, and how fast it says so',
  async run({ facts }) {
    const { resources, failures, ms } = await facts.discovered();
    const watchable = resources.filter(isWatchable).length;
    const data = { resources: resources.length, watchable, ms };
    if (watchable === 0) {
      const advice = 'Check that --server points to the API server itself and not to a path below it.';
      return [fail('Discovery names no resource that can be listed and watched.', advice, data)];
    }
    const found = `${countText(watchable, 'resource')} can be listed and watched`;
    const took = `discovery took ${millisText(ms)}`;
    const [first] = failures;
    if (first !== undefined) {
      const names = failures.map(apiVersionOf).join(', ');
      const advice =
        'The API service behind it is down: kubectl get apiservices shows it. Namespaces cannot be deleted meanwhile.';
      return [warn(`${found}, but not those of ${names}: ${explainProbe(first.error)}.`, advice, data)];
    }
    if (ms <= SLOW_MS) return [ok(`${found}; ${took}.`, data)];
    const advice = 'An aggregated API that is down is the usual cause: kubectl get apiservices shows it.';
    return [note(`${found}, but ${took}.`, advice, data)];
  },
};
