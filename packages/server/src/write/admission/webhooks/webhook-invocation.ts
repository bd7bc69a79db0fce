/** Decides whether a webhook whose rules match is called: selectors, then conditions. */

import { forbidden, internalError } from '@listwatch/api';
import {
  AccessAnswers,
  type MatchVerdict,
  PolicyInput,
  type QuickBudget,
  TooLongHere,
} from '@listwatch/rules/internal';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import { admissionRequestJson } from '../dynamic/admission-request-json.ts';
import type { RequestVersions } from '../dynamic/request-versions.ts';
import { selectsNamespace, selectsObject } from '../dynamic/selected-labels.ts';
import { accessDecider } from '../policies/policy-access.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { conditionsInput } from './conditions-job.ts';
import type { MatchedWebhook } from './webhook-index.ts';
import type { CallLabels } from './webhook-metrics.ts';
import type { WebhookWorld } from './webhook-world.ts';

/** A webhook that is called, with the objects in the version that its rule names. */
export interface WebhookInvocation extends MatchedWebhook, Pick<DynamicRequest, 'object' | 'old'> {
  readonly request: DynamicRequest;
}

/** Do both selectors take the request? A promise only where the labels of the namespace must be waited for. */
export function isSelected(
  { namespaceLabels }: Pick<WebhookWorld, 'namespaceLabels'>,
  { hook }: { readonly hook: Pick<CompiledWebhook, 'namespaceSelector' | 'objectSelector'> },
  request: DynamicRequest,
): boolean | Promise<boolean> {
  // The object first: a webhook that is not about it waits for no namespace, nor fails without one, as in Kubernetes.
  return (
    selectsObject(hook.objectSelector, request) && selectsNamespace(hook.namespaceSelector, request, namespaceLabels)
  );
}

/** The call of a webhook whose selectors take the request; undefined when there is none. Throws the 403 of a condition that fails, unless failures are ignored. */
export async function invocationOf(
  world: WebhookWorld,
  matched: MatchedWebhook,
  versions: RequestVersions,
  quick: QuickBudget | undefined,
): Promise<WebhookInvocation | undefined> {
  const { hook, definition } = matched;
  const { request } = versions;
  const problem = versions.isConverted(definition) ? await versions.problem(definition) : undefined;
  // Whatever the failure policy: Kubernetes converts before it calls.
  if (problem !== undefined) throw internalError(hook.type === 'mutating' ? internalError(problem).message : problem);
  const objects = await versions.of(definition);
  const invocation = { ...matched, ...objects, request };
  return (await hasConditions(world, invocation, quick)) ? invocation : undefined;
}

/** The labels of a call in metrics. */
export function callLabels({ hook, request }: WebhookInvocation): CallLabels {
  const type = hook.type === 'mutating' ? 'admit' : 'validating';
  return { name: hook.name, type, operation: request.operation };
}

async function hasConditions(
  world: WebhookWorld,
  invocation: WebhookInvocation,
  quick: QuickBudget | undefined,
): Promise<boolean> {
  const { hook, definition, request, object, old } = invocation;
  if (!hook.hasConditions) return true;
  const { group, plural } = request.definition.resource;
  const { subresource, namespace, name } = request;
  const target = { group, resource: plural, subresource, namespace, name, fieldSelector: '', labelSelector: '' };
  const json = admissionRequestJson(request, definition);
  const decide = accessDecider(world.authorizer, request.user);
  const input = new PolicyInput({
    object: object ?? null,
    oldObject: old ?? null,
    request: json,
    namespace: null,
    target,
    access: new AccessAnswers(decide),
  });
  const begun = world.now();
  const here = async (): Promise<MatchVerdict> =>
    hook.conditions(quick).verdict(input.forConditions(null), { quick, now: world.now });
  const verdict = await here().catch(async (error: unknown) => {
    if (!(error instanceof TooLongHere) || world.elsewhere === undefined) throw error;
    const values = { object, old, request: json };
    const found = await world.elsewhere(conditionsInput(hook.source, values, target), decide, request);
    // Other requests had their turn.
    quick?.renew();
    return found;
  });
  if (verdict.type === 'match') return true;
  const { type, ...labels } = callLabels(invocation);
  const own = { ...labels, kind: 'webhook' } as const;
  world.conditionMetrics.evaluated({ ...own, type }, (world.now() - begun) / 1000, verdict.errors);
  if (verdict.type === 'error' && !hook.ignoresFailure) {
    throw forbidden(request.definition.resource, name, verdict.message);
  }
  world.conditionMetrics.excluded({ ...own, type: type === 'admit' ? type : 'validate' });
  return false;
}
