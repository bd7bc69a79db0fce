/** The places of a configuration or a definition that say whom the API server trusts. */

import { listOf, recordOf, textOf } from '@listwatch/api/values';
import type { ConvertedDefinition, WebhookConfiguration } from '../webhook-objects.ts';

export interface BundlePlace {
  /** Of the client's configuration, as a JSON pointer. */
  readonly path: string;
  /** The webhook; undefined for conversions. */
  readonly hook: string | undefined;
  /** The authorities in PEM; empty when there are none. */
  readonly bundle: string;
}

/** A server may say anything: what is no place is left out, and what is no bundle is an empty one, which is then replaced. */
export function bundlePlaces(object: ConvertedDefinition | WebhookConfiguration): readonly BundlePlace[] {
  if ('spec' in object) {
    const { strategy, webhook } = recordOf(recordOf(object.spec)['conversion']);
    const config = recordOf(webhook)['clientConfig'];
    if (strategy !== 'Webhook' || config === undefined) return [];
    return [{ path: '/spec/conversion/webhook/clientConfig', hook: undefined, bundle: bundleIn(config) }];
  }
  return listOf(object.webhooks).map((webhook, index) => {
    const { name, clientConfig } = recordOf(webhook);
    return { path: `/webhooks/${index}/clientConfig`, hook: textOf(name), bundle: bundleIn(clientConfig) };
  });
}

function bundleIn(config: unknown): string {
  return Buffer.from(textOf(recordOf(config)['caBundle']), 'base64').toString('utf8');
}
