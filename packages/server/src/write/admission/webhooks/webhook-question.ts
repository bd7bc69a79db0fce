/** Asks one webhook about a request. */

import { badRequest, internalError, isStatusError } from '@listwatch/api';
import { encodeJson } from '../../../stored/exact-json.ts';
import { admissionReview, type ReviewResponse, readResponse } from './admission-review.ts';
import { WebhookDenial, webhookDenial } from './webhook-denial.ts';
import { failureText, WebhookFailure } from './webhook-failure.ts';
import { callLabels, type WebhookInvocation } from './webhook-invocation.ts';
import { DEADLINE } from './webhook-words.ts';
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
  const failed = ({ message, metricCode }: WebhookFailure, isRejected: boolean): void => {
    records.add(hook, seconds(), { type: 'failed', why: message });
    metrics.called(labels, seconds(), isRejected, metricCode);
    if (isRejected) metrics.rejected(labels, 'calling_webhook_error', metricCode);
  };
  try {
    const taken = take(await answerOf(world, invocation));
    metrics.called(labels, seconds(), false, ALLOWED_CODE);
    records.add(hook, seconds(), { type: 'allowed' });
    return taken;
  } catch (error) {
    if (request.signal().aborted) {
      // Counts a webhook that took all the time of the request; a client that has gone says nothing about it.
      if (isTimeout(request.signal().reason)) failed(WebhookFailure.notCalled(DEADLINE), !hook.ignoresFailure);
      request.signal().throwIfAborted();
    }
    if (error instanceof WebhookFailure) {
      failed(error, !hook.ignoresFailure);
      if (hook.ignoresFailure) {
        metrics.failedOpen(labels);
        onIgnored();
        return undefined;
      }
      throw internalError(`failed calling webhook ${JSON.stringify(hook.name)}: ${error.message}`);
    }
    if (error instanceof WebhookDenial) {
      const { answer } = error;
      records.add(hook, seconds(), { type: 'refused' });
      metrics.called(labels, seconds(), true, answer.httpCode);
      metrics.rejected(labels, 'no_error', answer.httpCode);
      throw answer;
    }
    records.add(hook, seconds(), { type: 'failed', why: failureText(error) });
    metrics.called(labels, seconds(), true, 0);
    metrics.rejected(labels, 'apiserver_internal_error', 0);
    throw error;
  }
}

/** Has the request ended because its time is over? */
function isTimeout(reason: unknown): boolean {
  return isStatusError(reason) && reason.httpCode === 504;
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
    signal: request.signal(),
  });
  const response = readResponse(hook, uid, answer);
  for (const [key, value] of response.auditAnnotations) annotate(invocation, key, value);
  for (const text of response.warnings) request.warn(text);
  if (!response.allowed) throw new WebhookDenial(webhookDenial(hook.name, response.status));
  return response;
}

/** A qualified name, as Kubernetes wants it of annotations. */
const KEY = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/u;

function annotate({ hook, request }: WebhookInvocation, key: string, value: string): void {
  if (KEY.test(key)) request.annotate?.(`${hook.name}/${key}`, value);
}
