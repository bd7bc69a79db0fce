/** ValidatingWebhookConfiguration: webhooks that may refuse requests. */

import type { KindRules } from '../../strategy/kind-rules.ts';
import { webhookRules } from './webhook-rules.ts';

/** The rules of ValidatingWebhookConfiguration. */
export const validatingWebhookConfiguration: KindRules = webhookRules({});
