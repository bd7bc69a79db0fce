/** Decodes the answer of a webhook with the limits of a request body, and never in one long turn. */

import { isRecord } from '@listwatch/api/values';
import { BODY_LIMITS } from '@listwatch/rules/internal';
import { justPause } from '../contract/pause.ts';
import { decodeJson } from '../stored/exact-json.ts';
import { MAX_LONG_NUMBERS, scanJson } from '../stored/json-scan.ts';
import { reviewParts } from './review-parts.ts';

/** A smaller answer is decoded at once. */
const SMALL_BYTES = 32 * 1024;

/** An answer that exceeds a limit. The message names the limit. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

/** The decoded answer; undefined when it is no JSON. The limits of bodies hold for each object. Throws {@link AnswerTooLarge}. */
export async function decodeAnswer(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= SMALL_BYTES) return decoded(bytes);
  try {
    return await decodedInTurns(bytes);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function decoded(bytes: Buffer): unknown {
  requireLimits(bytes);
  try {
    return decodeJson(bytes);
  } catch {
    return undefined;
  }
}

/** An answer may have hundreds of objects: they are decoded one by one. */
async function decodedInTurns(bytes: Buffer): Promise<unknown> {
  const parts = await reviewParts(bytes);
  if (parts === undefined) {
    requireLimits(bytes);
    await justPause();
    return decodeJson(bytes);
  }
  const { list, items } = parts;
  const around = Buffer.concat([bytes.subarray(0, list.start), EMPTY_LIST, bytes.subarray(list.end)]);
  requireLimits(around);
  const review = decodeJson(around);
  const convertedObjects: unknown[] = [];
  let sinceBreak = 0;
  for (const { start, end } of items) {
    const item = bytes.subarray(start, end);
    requireLimits(item);
    if (item.length > SMALL_BYTES) await justPause();
    convertedObjects.push(decodeJson(item));
    sinceBreak += item.length;
    if (sinceBreak < SMALL_BYTES) continue;
    sinceBreak = 0;
    await justPause();
  }
  if (!isRecord(review) || !isRecord(review['response'])) return review;
  return { ...review, response: { ...review['response'], convertedObjects } };
}

const EMPTY_LIST = Buffer.from('[]');

function requireLimits(bytes: Buffer): void {
  const { members, parts, longNumbers, tooDeepAt } = scanJson(bytes);
  if (tooDeepAt >= 0) throw new AnswerTooLarge('the answer exceeded max depth');
  requireCount(members, BODY_LIMITS.members, 'fields');
  requireCount(parts, BODY_LIMITS.parts, 'values');
  requireCount(longNumbers, MAX_LONG_NUMBERS, 'numbers of 16 digits or more');
}

function requireCount(count: number, max: number, what: string): void {
  if (count > max) throw new AnswerTooLarge(`an object of the answer has ${count} ${what}, limit is ${max}`);
}
