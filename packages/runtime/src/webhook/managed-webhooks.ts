/** `webhooks` for Node: of a manager, or alone. */

import type { Manager } from '../manager/manager.ts';
import { serveWebhooks } from './serve-webhooks.ts';
import type { ServeWebhooksOptions } from './serve-webhooks-options.ts';
import type { WebhooksOptions } from './webhook-options.ts';
import { webhooks as plainWebhooks, type Webhooks } from './webhook-set.ts';

/**
 * Makes an empty set of webhooks; with a manager, which serves them when it runs.
 *
 * @example
 * webhooks(program, { name: 'backup', service: { namespace: 'backup', name: 'webhooks' } })
 *   .validate(backup, ({ object }) => (object.spec.bucket === '' ? deny('spec.bucket is empty') : undefined))
 *   .mutate(backup, (draft) => {
 *     draft.spec.retention ??= 7;
 *   });
 *
 * @throws TypeError, RangeError for options that are wrong
 */
export function webhooks(options?: WebhooksOptions): Webhooks;
export function webhooks(manager: Manager, options: ServeWebhooksOptions): Webhooks;
export function webhooks(first: Manager | WebhooksOptions = {}, options?: ServeWebhooksOptions): Webhooks {
  if (!isManager(first)) return plainWebhooks(first);
  if (options === undefined) throw new TypeError('webhooks(manager) needs options: { name, service or url }');
  const hooks = plainWebhooks();
  serveWebhooks(first, hooks, options);
  return hooks;
}

function isManager(value: Manager | WebhooksOptions): value is Manager {
  return typeof value === 'object' && value !== null && 'registry' in value && 'add' in value;
}
