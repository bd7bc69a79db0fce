import { deny, type Webhooks, webhooks } from '@listwatch/runtime/webhook';
import { website } from './website.ts';

/** What the schema cannot say. Shared by the program, the manifests and the tests. */
export function websiteWebhooks(): Webhooks {
  return webhooks().validate(website, ({ object }) =>
    object.spec.image.endsWith(':latest') ? deny('spec.image must name a version, not :latest') : undefined,
  );
}
