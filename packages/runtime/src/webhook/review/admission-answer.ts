/** Answers one AdmissionReview. */

import type { Clock } from '@listwatch/api';
import type { Logger } from '../../controller/logger.ts';
import { DeadlinePassed, withDeadline } from '../deadline.ts';
import { hookLog } from '../hook-log.ts';
import type { HookOutcome } from '../webhook-observer.ts';
import { type AdmissionHook, type HookDecision, mismatch } from './admission-hook.ts';
import type { AdmissionOperation } from './admission-request.ts';
import { type AdmissionReview, parseAdmissionReview } from './reviewed-request.ts';
import { type AdmissionDenied, isDenial } from './verdict.ts';

/** What a call brings. */
export interface ReviewCall {
  readonly body: Uint8Array;
  /** How long the API server waits; undefined when it does not say. */
  readonly timeoutMs: number | undefined;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal | undefined;
}

export interface ReviewSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The answer, and when the handler itself has ended, which may be later. */
export interface ReviewAnswer {
  readonly body: string;
  readonly outcome: HookOutcome;
  readonly operation: AdmissionOperation | 'CONVERT';
  readonly settled: Promise<void>;
}

const SETTLED = Promise.resolve();

/** Rejects with `MalformedReview` alone: whatever a handler does becomes an answer, and none of them an allowance. */
export async function answerAdmission(
  hook: AdmissionHook,
  call: ReviewCall,
  surroundings: ReviewSurroundings,
): Promise<ReviewAnswer> {
  const review = parseAdmissionReview(call.body);
  const { operation } = review;
  const log = hookLog(surroundings.logger, factsOf(hook, review));
  const wrong = mismatch(hook, review);
  if (wrong !== undefined) {
    log.error(
      {},
      `the webhook got a request that it was not written for: ${wrong}; fix the rules of its configuration`,
    );
    const body = refusalText(review, 500, 'InternalError', `the webhook ${hook.name} cannot answer: ${wrong}`);
    return { body, outcome: 'failed', operation, settled: SETTLED };
  }
  const { object, oldObject: old, uid, name, namespace, subresource, user, dryRun, options } = review;
  const facts = { uid, name, namespace, subresource, user, dryRun, options, operation, object, old, log };
  const { result, settled } = withDeadline((signal) => hook.decide({ ...facts, signal }), {
    clock: surroundings.clock,
    timeoutMs: call.timeoutMs ?? hook.config.timeoutSeconds * 1000,
    signal: call.signal,
  });
  try {
    const decision = await result;
    if (decision.denied !== undefined) log.debug({ message: decision.denied.message }, 'the webhook denied a request');
    return {
      body: decisionText(review, decision),
      outcome: decision.denied === undefined ? 'allowed' : 'denied',
      operation,
      settled,
    };
  } catch (error) {
    if (isDenial(error)) return { body: denialText(review, error), outcome: 'denied', operation, settled };
    return { ...failureAnswer(hook, review, error, log), operation, settled };
  }
}

function failureAnswer(
  hook: AdmissionHook,
  review: AdmissionReview,
  error: unknown,
  log: Logger,
): { readonly body: string; readonly outcome: HookOutcome } {
  if (error instanceof DeadlinePassed) {
    log.error({ timeoutMs: error.timeoutMs }, 'the handler of the webhook took too long; the request is denied');
    const message = `the webhook ${hook.name} did not decide within ${error.timeoutMs} ms`;
    return { body: refusalText(review, 504, 'Timeout', message), outcome: 'timeout' };
  }
  log.error({ err: error }, 'the handler of the webhook failed; the request is denied');
  const text = error instanceof Error ? error.message : String(error);
  return {
    body: refusalText(review, 500, 'InternalError', `the webhook ${hook.name} failed: ${text}`),
    outcome: 'failed',
  };
}

function factsOf(hook: AdmissionHook, { operation, namespace, name, uid }: AdmissionReview): Record<string, string> {
  return { webhook: hook.name, operation, namespace, name, uid };
}

function decisionText(review: AdmissionReview, decision: HookDecision): string {
  const { denied, warnings, auditAnnotations, patch } = decision;
  if (denied !== undefined) return denialText(review, denied, warnings, auditAnnotations);
  return responseText(review, {
    allowed: true,
    ...(patch.length > 0 && { patchType: 'JSONPatch', patch: base64(JSON.stringify(patch)) }),
    ...extras(warnings, auditAnnotations),
  });
}

function denialText(
  review: AdmissionReview,
  { message, httpCode, reason, causes }: AdmissionDenied,
  warnings: readonly string[] = [],
  annotations: Readonly<Record<string, string>> = {},
): string {
  const details = causes.length === 0 ? {} : { details: { causes } };
  const status = { status: 'Failure', message, reason, code: httpCode, ...details };
  return responseText(review, { allowed: false, status, ...extras(warnings, annotations) });
}

function refusalText(review: AdmissionReview, code: number, reason: string, message: string): string {
  return responseText(review, { allowed: false, status: { status: 'Failure', message, reason, code } });
}

function extras(warnings: readonly string[], auditAnnotations: Readonly<Record<string, string>>): object {
  return {
    ...(warnings.length > 0 && { warnings }),
    ...(Object.keys(auditAnnotations).length > 0 && { auditAnnotations }),
  };
}

function responseText({ apiVersion, uid }: AdmissionReview, response: object): string {
  return JSON.stringify({ kind: 'AdmissionReview', apiVersion, response: { uid, ...response } });
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  // In parts: the arguments of one call are bounded.
  for (let at = 0; at < bytes.length; at += 0x2000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  return btoa(binary);
}
