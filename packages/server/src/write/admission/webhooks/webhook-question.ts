/** Asks one webhook about a request. */

import { badRequest, internalError, isStatusError } from '@listwatch/api';
import { encodeJson } from '../../../stored/exact-json.ts';
import { admissionReview, type ReviewResponse, readResponse } from './admission-review.ts';
import { webhookDenial } from './webhook-denial.ts';
import { failureText, WebhookFailure } from './webhook-failure.ts';
import { callLabels, type WebhookInvocation } from './webhook-invocation.ts';
import type { WebhookWorld } from './webhook-world.ts';

const ALLOWED_CODE = 200;

/**
 * Calls the webhook and passes the answer to `take`, whose errors count as failures of the call. Undefined: the call
 * failed and the failure policy is `Ignore`; then `onIgnored` is called. Throws the refusal.
 */
export async function askWebhook<Taken>(
  world: WebhookWorld,
  invocation: WebhookInvocation,
  take: (response: ReviewResponse) => Taken,
  onIgnored: () => void,
): Promise<Taken | undefined> {
  const { hook, request } = invocation;
  const { metrics, records } = world;
  const labels = callLabels(invocation);
  const begun = world.now();
  const seconds = (): number => (world.now() - begun) / 1000;
  try {
    const taken = take(await answerOf(world, invocation));
    metrics.called(labels, seconds(), false, ALLOWED_CODE);
    records.add(hook, seconds(), { type: 'allowed' });
    return taken;
  } catch (error) {
    // The client has gone, or the request timed out: this is no refusal by the webhook.
    request.signal.throwIfAborted();
    if (error instanceof WebhookFailure) {
      const isRejected = !hook.ignoresFailure;
      records.add(hook, seconds(), { type: 'failed', why: error.message });
      metrics.called(labels, seconds(), isRejected, error.metricCode);
      if (!isRejected) {
        metrics.failedOpen(labels);
        onIgnored();
        return undefined;
      }
      metrics.rejected(labels, 'calling_webhook_error', error.metricCode);
      throw internalError(`failed calling webhook ${JSON.stringify(hook.name)}: ${error.message}`);
    }
    const isDenial = isStatusError(error) && error.httpCode !== 500;
    const code = isStatusError(error) ? error.httpCode : 500;
    metrics.called(labels, seconds(), true, code);
    records.add(hook, seconds(), isDenial ? { type: 'refused' } : { type: 'failed', why: failureText(error) });
    metrics.rejected(labels, isDenial ? 'no_error' : 'apiserver_internal_error', isDenial ? code : 0);
    throw error;
  }
}

/** The answer of a webhook that allows the request. Throws its denial, and the `WebhookFailure` of a call that failed. */
async function answerOf(world: WebhookWorld, invocation: WebhookInvocation): Promise<ReviewResponse> {
  const { hook, request, definition, object, old } = invocation;
  if (request.dryRun && !hook.supportsDryRun) {
    throw badRequest(`admission webhook ${JSON.stringify(hook.name)} does not support dry run`);
  }
  const uid = world.newUid();
  const question = { uid, request, matched: definition, object, old };
  const answer = await world.caller.call(hook, {
    body: () => Buffer.from(encodeJson(admissionReview(hook, question))),
    remainingMs: request.remainingMs(),
    signal: request.signal,
  });
  const response = readResponse(hook, uid, answer);
  for (const [key, value] of response.auditAnnotations) annotate(invocation, key, value);
  for (const text of response.warnings) request.warn(text);
  if (!response.allowed) throw webhookDenial(hook.name, response.status);
  return response;
}

/** A qualified name, as Kubernetes wants it of annotations. */
const KEY = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/u;

function annotate({ hook, request }: WebhookInvocation, key: string, value: string): void {
  if (KEY.test(key)) request.annotate?.(`${hook.name}/${key}`, value);
}
