/** The environment of webhooks besides the request. */

import type { DecideAccess, MatchVerdict } from '@listwatch/rules/internal';
import type { Clock } from '@listwatch/storage';
import type { Authorizer } from '../../../contract/authorization.ts';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import type { ConditionMetrics } from '../dynamic/condition-metrics.ts';
import type { NamespaceLabels } from '../dynamic/selected-labels.ts';
import type { ConditionsInput } from './conditions-job.ts';
import type { WebhookCaller } from './webhook-caller.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';
import type { WebhookRecords } from './webhook-records.ts';

/** The surroundings of the webhooks of one server. */
export interface WebhookWorld {
  readonly clock: Clock;
  readonly caller: WebhookCaller;
  readonly metrics: WebhookMetrics;
  readonly conditionMetrics: ConditionMetrics;
  readonly records: WebhookRecords;
  readonly authorizer: Pick<Authorizer, 'authorize'>;
  readonly namespaceLabels: NamespaceLabels;
  /** The kind that an object names; undefined when none is served. */
  readonly findKind: (apiVersion: string, kind: string) => ResourceDefinition | undefined;
  readonly newUid: () => string;
  /** Evaluates conditions in another thread. Undefined: all are evaluated here, however long they take. */
  readonly elsewhere:
    | ((
        input: ConditionsInput,
        decide: DecideAccess,
        request: Pick<DynamicRequest, 'flow' | 'signal'>,
      ) => Promise<MatchVerdict>)
    | undefined;
  /** Milliseconds that only grow, for durations. */
  readonly now: () => number;
}
