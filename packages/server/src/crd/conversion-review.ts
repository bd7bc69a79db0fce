/** The question that a conversion webhook is asked, and what its answer means. Pure. */

import { isRecord, type JsonRecord, recordOf, recordsOf, textOf, textRecordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';

/** The versions of ConversionReview that the server speaks, the best first. */
const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];
const REVIEW_GROUP = 'apiextensions.k8s.io';

/** A question. */
export interface ConversionQuestion {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly KubeObject[];
  /** The versions of ConversionReview that the webhook speaks. */
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
  const what = `conversion webhook for ${kindText(objects[0])}`;
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
    const place = objects.length === 1 ? '' : ` at index ${index}`;
    const problem = (text: string): Error => {
      return new Error(`${what} returned invalid ${place === '' ? '' : 'converted '}object${place}: ${text}`);
    };
    return checked(original, converted[index] ?? {}, desiredAPIVersion, problem);
  });
}

/** `example.com/v1, Kind=Widget`. */
export function kindText(object: KubeObject | undefined): string {
  return `${object?.apiVersion ?? ''}, Kind=${object?.kind ?? ''}`;
}

function checked(
  original: KubeObject,
  converted: JsonRecord,
  apiVersion: string,
  problem: (text: string) => Error,
): KubeObject {
  const got = textOf(converted['apiVersion']);
  if (got !== apiVersion) throw problem(`invalid groupVersion (expected ${apiVersion}, received ${got})`);
  const kind = textOf(converted['kind']);
  if (kind !== original.kind) throw problem(`invalid kind (expected ${original.kind}, received ${kind})`);
  const metadata = recordOf(converted['metadata']);
  for (const [field, name] of SAME) {
    const before = textOf(original.metadata[field]);
    const after = textOf(metadata[field]);
    if (before !== after) throw problem(`must have the same ${name}: ${before} != ${after}`);
  }
  // Of the metadata only labels and annotations are the webhook's.
  const { labels: _labels, annotations: _annotations, ...kept } = original.metadata;
  const { labels, annotations } = metadata;
  return {
    ...converted,
    kind,
    apiVersion,
    metadata: {
      ...kept,
      ...(isRecord(labels) ? { labels: textRecordOf(labels) } : {}),
      ...(isRecord(annotations) ? { annotations: textRecordOf(annotations) } : {}),
    },
  };
}

const SAME = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const;
