/** One webhook of a configuration, read once when the configuration changes. */

import { createHash } from 'node:crypto';
import type { LabelSelector } from '@listwatch/api';
import { type JsonRecord, listOf, numberOf, recordOf, textOf } from '@listwatch/api/values';
import { MatchConditions, PolicyPrograms, type QuickBudget } from '@listwatch/rules/internal';
import { type RequestRule, resourceRules } from '../dynamic/request-rule.ts';
import { storedSelector } from '../dynamic/selected-labels.ts';

/** Where a webhook is. */
export interface WebhookPlace {
  readonly url: string | undefined;
  readonly service:
    | { readonly namespace: string; readonly name: string; readonly path: string; readonly port: number }
    | undefined;
  /** PEM, in base64. `''`: the authorities of the system. */
  readonly caBundle: string;
}

/** A webhook. */
export interface CompiledWebhook {
  readonly type: 'mutating' | 'validating';
  readonly configuration: string;
  readonly name: string;
  /** Its place among all webhooks of all configurations. */
  readonly index: number;
  readonly place: WebhookPlace;
  /** Equal for webhooks that can share connections. */
  readonly placeKey: string;
  readonly rules: readonly RequestRule[];
  readonly isEquivalent: boolean;
  readonly ignoresFailure: boolean;
  readonly reinvokes: boolean;
  readonly supportsDryRun: boolean;
  readonly timeoutMs: number;
  readonly reviewVersion: 'v1' | 'v1beta1';
  readonly namespaceSelector: LabelSelector | undefined;
  readonly objectSelector: LabelSelector | undefined;
  readonly hasConditions: boolean;
  /** Compiled when the first request asks. Throws `TooLongHere` when that would take more than the rest of the budget. */
  readonly conditions: (quick: QuickBudget | undefined) => MatchConditions;
  /** As it was written, for another thread. */
  readonly source: JsonRecord;
}

const DEFAULT_SECONDS = 10;
const HTTPS_PORT = 443;

/** Reads a webhook. */
export function compileWebhook(
  type: CompiledWebhook['type'],
  configuration: string,
  hook: JsonRecord,
  index: number,
): CompiledWebhook {
  const client = recordOf(hook['clientConfig']);
  const place = readPlace(client);
  const versions = listOf(hook['admissionReviewVersions']).map(textOf);
  const written = listOf(hook['matchConditions']);
  let conditions: MatchConditions | undefined;
  return {
    type,
    configuration,
    name: textOf(hook['name']),
    index,
    place,
    // A bundle may have a megabyte, and every call looks its client up.
    placeKey: createHash('sha256').update(JSON.stringify(place)).digest('base64'),
    rules: resourceRules(hook['rules']),
    isEquivalent: hook['matchPolicy'] !== 'Exact',
    ignoresFailure: hook['failurePolicy'] === 'Ignore',
    reinvokes: hook['reinvocationPolicy'] === 'IfNeeded',
    supportsDryRun: hook['sideEffects'] === 'None' || hook['sideEffects'] === 'NoneOnDryRun',
    timeoutMs: (numberOf(hook['timeoutSeconds']) || DEFAULT_SECONDS) * 1000,
    reviewVersion:
      versions.find((version) => version === 'v1' || version === 'v1beta1') === 'v1beta1' ? 'v1beta1' : 'v1',
    namespaceSelector: storedSelector(hook['namespaceSelector']),
    objectSelector: storedSelector(hook['objectSelector']),
    source: hook,
    hasConditions: written.length > 0,
    conditions: (quick) => {
      if (conditions === undefined) {
        quick?.compile(JSON.stringify(written).length);
        conditions = new MatchConditions(hook, new PolicyPrograms({}));
      }
      return conditions;
    },
  };
}

function readPlace(client: JsonRecord): WebhookPlace {
  const caBundle = textOf(client['caBundle']);
  if (typeof client['url'] === 'string') return { url: client['url'], service: undefined, caBundle };
  const service = recordOf(client['service']);
  return {
    url: undefined,
    service: {
      namespace: textOf(service['namespace']),
      name: textOf(service['name']),
      path: textOf(service['path']),
      port: numberOf(service['port']) || HTTPS_PORT,
    },
    caBundle,
  };
}
