/** MutatingWebhookConfiguration: webhooks that may change objects. */

import type { KindRules } from '../../strategy/kind-rules.ts';
import { webhookRules } from './webhook-rules.ts';

/** The rules of MutatingWebhookConfiguration. */
export const mutatingWebhookConfiguration: KindRules = webhookRules({ reinvocationPolicy: 'Never' });
