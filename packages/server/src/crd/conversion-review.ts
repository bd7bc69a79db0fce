/** The request and the response of a conversion webhook. Pure. */

import { isRecord, type JsonRecord, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import { convertedMetadata } from './converted-metadata.ts';

/** The versions of ConversionReview that the server knows, in order of preference. */
const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];
const REVIEW_GROUP = 'apiextensions.k8s.io';

/** A conversion request. */
export interface ConversionQuestion {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
  /** The versions of ConversionReview that the webhook accepts. */
  readonly reviewVersions: readonly string[];
}

/** The body of the request. */
export function conversionReview({ uid, desiredAPIVersion, objects, reviewVersions }: ConversionQuestion): JsonRecord {
  const version = reviewVersions.find((one) => REVIEW_VERSIONS.includes(one)) ?? 'v1';
  return {
    kind: 'ConversionReview',
    apiVersion: `${REVIEW_GROUP}/${version}`,
    request: { uid, desiredAPIVersion, objects },
  };
}

/** The converted objects. Throws an Error that says what is wrong with the answer. */
export function convertedObjects(question: ConversionQuestion, answer: unknown): readonly KubeObject[] {
  const { uid, objects, desiredAPIVersion } = question;
  const what = `conversion webhook for ${objectKindText(objects[0])}`;
  const response = recordOf(answer)['response'];
  if (!isRecord(response)) throw new Error(`${what} failed: no response provided`);
  if (response['uid'] !== uid) {
    const got = textOf(response['uid']);
    throw new Error(`${what} failed: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(got)}`);
  }
  const result = recordOf(response['result']);
  if (result['status'] !== 'Success') {
    const message =
      textOf(result['message']) || `response.result.status was '${textOf(result['status'])}', not 'Success'`;
    throw new Error(`${what} failed: ${message}`);
  }
  const converted = recordsOf(response['convertedObjects']);
  if (converted.length !== objects.length) {
    throw new Error(`${what} returned ${converted.length} objects, expected ${objects.length}`);
  }
  return objects.map((original, index) => {
    try {
      return checked(original, converted[index] ?? {}, desiredAPIVersion, wordsFor(index, objects.length === 1));
    } catch (error) {
      throw new Error(`${what} returned invalid ${messageOf(error)}`, { cause: error });
    }
  });
}

/** How errors name an object: the words of kube-apiserver differ between one object and one of a list. */
interface ObjectWords {
  readonly typed: string;
  readonly object: string;
  readonly metadata: string;
}

function wordsFor(index: number, isOnly: boolean): ObjectWords {
  if (isOnly) return { typed: 'object at index 0', object: 'object', metadata: 'metadata' };
  const object = `converted object at index ${index}`;
  return { typed: object, object, metadata: `metadata in object at index ${index}` };
}

/** `example.com/v1, Kind=Widget`. */
export function objectKindText(object: KubeObject | undefined): string {
  return `${object?.apiVersion ?? ''}, Kind=${object?.kind ?? ''}`;
}

function checked(original: KubeObject, converted: JsonRecord, apiVersion: string, words: ObjectWords): KubeObject {
  const got = textOf(converted['apiVersion']);
  if (got !== apiVersion)
    throw new Error(`${words.typed}: invalid groupVersion (expected ${apiVersion}, received ${got})`);
  const kind = textOf(converted['kind']);
  if (kind !== original.kind) {
    throw new Error(`${words.typed}: invalid kind (expected ${original.kind}, received ${kind})`);
  }
  const metadata = recordOf(converted['metadata']);
  for (const [field, name] of SAME) {
    const before = textOf(original.metadata[field]);
    const after = textOf(metadata[field]);
    if (before !== after) throw new Error(`${words.object}: must have the same ${name}: ${before} != ${after}`);
  }
  try {
    return { ...converted, kind, apiVersion, metadata: convertedMetadata(original.metadata, metadata) };
  } catch (error) {
    throw new Error(`${words.metadata}: ${messageOf(error)}`, { cause: error });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const SAME = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;
