/** Answers one ConversionReview. */

import type { ApiObject } from '@listwatch/api';
import { isRecord, type JsonRecord, listOf, textOf } from '@listwatch/api/values';
import { DeadlinePassed, withDeadline } from '../deadline.ts';
import type { HookOutcome } from '../webhook-observer.ts';
import type { ReviewAnswer, ReviewCall, ReviewSurroundings } from './admission-answer.ts';
import type { KindConversion } from './conversion.ts';
import { roundedInteger } from './json-patch-of.ts';
import { MalformedReview, parseReview, shownKind } from './reviewed-request.ts';

/** Finds the conversion of a kind. */
export type FindConversion = (group: string, kind: string) => KindConversion | undefined;

const VERSIONS: ReadonlySet<string> = new Set(['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1']);
/** kube-apiserver's. */
const TIMEOUT_MS = 30_000;
/** A list is converted in one call: after so many objects others get a turn. */
const TURN = 100;

/** Rejects with `MalformedReview` alone. */
export async function answerConversion(
  find: FindConversion,
  call: ReviewCall,
  { clock, logger }: ReviewSurroundings,
): Promise<ReviewAnswer> {
  const review = parseReview(call.body);
  const { kind, apiVersion, request } = review;
  if (kind !== 'ConversionReview' || typeof apiVersion !== 'string' || !VERSIONS.has(apiVersion))
    throw new MalformedReview(`expected a ConversionReview of apiextensions.k8s.io/v1, got ${shownKind(review)}`);
  if (!isRecord(request)) throw new MalformedReview('the ConversionReview has no request');
  const uid = textOf(request['uid']);
  if (uid === '') throw new MalformedReview('the request of the ConversionReview has no uid');
  const desired = textOf(request['desiredAPIVersion']);
  const objects = listOf(request['objects']);
  const answer = (response: object): string =>
    JSON.stringify({ kind: 'ConversionReview', apiVersion, response: { uid, ...response } });
  const { result, settled } = withDeadline((signal) => convertAll(find, desired, objects, signal), {
    clock,
    timeoutMs: call.timeoutMs ?? TIMEOUT_MS,
    signal: call.signal,
  });
  try {
    const convertedObjects = await result;
    const body = answer({ convertedObjects, result: { status: 'Success' } });
    return { body, outcome: 'allowed', operation: 'CONVERT', settled };
  } catch (error) {
    const outcome: HookOutcome = error instanceof DeadlinePassed ? 'timeout' : 'failed';
    const message = error instanceof Error ? error.message : String(error);
    logger.error({ err: error, desiredAPIVersion: desired, objects: objects.length }, 'a conversion failed');
    const body = answer({ convertedObjects: [], result: { status: 'Failure', message } });
    return { body, outcome, operation: 'CONVERT', settled };
  }
}

async function convertAll(
  find: FindConversion,
  desired: string,
  objects: readonly unknown[],
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const converted: unknown[] = [];
  for (const [index, object] of objects.entries()) {
    if (index % TURN === TURN - 1) await nextTurn();
    signal.throwIfAborted();
    converted.push(await convertOne(find, desired, object, index));
  }
  return converted;
}

async function convertOne(find: FindConversion, desired: string, object: unknown, index: number): Promise<unknown> {
  if (!isApiObject(object)) throw new TypeError(`object ${index + 1} of the ConversionReview is no object`);
  const [group = '', version = ''] = desired.split('/');
  const { kind = '', metadata } = object;
  const where = `${kind} ${[metadata.namespace, metadata.name].filter(Boolean).join('/')}`;
  const conversion = find(group, kind);
  if (conversion === undefined) throw new TypeError(`${where}: no conversion of ${kind}.${group} is registered`);
  const place = roundedInteger(object, '');
  if (place !== undefined)
    throw new RangeError(`${where}: the integer at ${place} is beyond 2^53, which JavaScript cannot hold exactly`);
  try {
    return await conversion.convert(object, version);
  } catch (error) {
    throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function isApiObject(value: unknown): value is ApiObject & JsonRecord {
  return isRecord(value) && isRecord(value['metadata']);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
