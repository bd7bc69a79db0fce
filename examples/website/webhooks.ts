/** What a schema cannot say of a Website: a default that depends on its name, and a rule that depends on who writes. */

import { deny, type Webhooks, warn, webhooks } from '@listwatch/runtime/webhook';
import { website } from './website.ts';

/** The members of this group may take hosts that are ours. */
export const OWNERS = 'example-com-owners';

/** The webhooks, as a set: a program serves them, and so does a test. */
export function websiteWebhooks(): Webhooks {
  return webhooks()
    .mutate(website, (draft) => {
      // A tag that moves would give two pods of one Website two programs.
      if (!/[:@]/u.test(draft.spec.image)) draft.spec.image += ':stable';
    })
    .validate(website, ({ object, old, user }) => {
      const { host, replicas } = object.spec;
      const isOurs = host === 'example.com' || host.endsWith('.example.com');
      if (old === undefined && isOurs && !user.groups.includes(OWNERS) && !user.groups.includes('system:masters'))
        return deny(`only members of ${OWNERS} may take ${host}`);
      return replicas === 0 ? warn('the website has no replica: nobody can see it') : undefined;
    });
}
