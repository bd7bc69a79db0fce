/** Converts the objects of a custom kind by its webhook. */

import { randomUUID } from 'node:crypto';
import { unknownError } from '@listwatch/api';
import type { ConversionTarget } from '../kinds/crd/custom-definition.ts';
import { encodeJson } from '../stored/exact-json.ts';
import { conversionReview, convertedObjects, objectKindText } from './conversion-review.ts';
import { WebhookCall, type WebhookReach } from './webhook-call.ts';
import type { ConvertObjects } from './webhook-form.ts';

/** Calls the webhook of a definition. Rejects with the 500 of kube-apiserver. */
export function webhookConversion(target: ConversionTarget, reach: WebhookReach): ConvertObjects {
  const call = new WebhookCall(target, reach);
  return async (objects, desiredAPIVersion) => {
    if (objects.length === 0) return [];
    const { reviewVersions } = target;
    const question = { uid: randomUUID(), desiredAPIVersion, objects, reviewVersions };
    let answer: unknown;
    try {
      answer = await call.post(Buffer.from(encodeJson(conversionReview(question))));
    } catch (error) {
      throw unknownError(`conversion webhook for ${objectKindText(objects[0])} failed: ${messageOf(error)}`);
    }
    try {
      return convertedObjects(question, answer);
    } catch (error) {
      throw unknownError(messageOf(error));
    }
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
