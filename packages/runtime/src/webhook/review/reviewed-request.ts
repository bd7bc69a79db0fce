/** AdmissionReview on the wire, v1 and v1beta1. */

import { isRecord, type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import type { AdmissionOperation, RequestUser } from './admission-request.ts';

/** A review that cannot be answered, because it is none. Answered by 400. */
export class MalformedReview extends TypeError {}

/** A review as it was sent. */
export interface AdmissionReview {
  readonly apiVersion: string;
  readonly uid: string;
  readonly operation: AdmissionOperation;
  /** `group/version/resource`, as the webhook sees it. */
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly name: string;
  readonly namespace: string;
  readonly user: RequestUser;
  readonly dryRun: boolean;
  readonly options: JsonRecord | undefined;
  readonly object: unknown;
  readonly oldObject: unknown;
}

const VERSIONS: ReadonlySet<string> = new Set(['admission.k8s.io/v1', 'admission.k8s.io/v1beta1']);
const OPERATIONS: ReadonlySet<string> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);

/** Throws a {@link MalformedReview} for anything else. */
export function parseAdmissionReview(body: Uint8Array): AdmissionReview {
  const review = parseReview(body);
  const { apiVersion, kind, request } = review;
  if (kind !== 'AdmissionReview' || typeof apiVersion !== 'string' || !VERSIONS.has(apiVersion))
    throw new MalformedReview(`expected an AdmissionReview of admission.k8s.io/v1, got ${shownKind(review)}`);
  if (!isRecord(request)) throw new MalformedReview('the AdmissionReview has no request');
  const { uid, operation, resource, userInfo, options, object, oldObject } = request;
  if (typeof uid !== 'string' || uid === '') throw new MalformedReview('the request of the AdmissionReview has no uid');
  if (!isOperation(operation))
    throw new MalformedReview(`the AdmissionReview has the unknown operation ${JSON.stringify(operation)}`);
  const { group, version, resource: plural } = recordOf(resource);
  return {
    apiVersion,
    uid,
    operation,
    resource: `${textOf(group)}/${textOf(version)}/${textOf(plural)}`,
    subresource: textOf(request['subResource']) || undefined,
    name: textOf(request['name']),
    namespace: textOf(request['namespace']),
    user: userOf(recordOf(userInfo)),
    dryRun: request['dryRun'] === true,
    options: isRecord(options) ? options : undefined,
    object: object ?? undefined,
    oldObject: oldObject ?? undefined,
  };
}

/** The JSON of a review, an object. Throws a {@link MalformedReview}. */
export function parseReview(body: Uint8Array): JsonRecord {
  let review: unknown;
  try {
    review = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw new MalformedReview(`the body is no JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (!isRecord(review)) throw new MalformedReview('the body is no JSON object');
  return review;
}

/** What a body that is no review says it is. */
export function shownKind({ apiVersion, kind }: JsonRecord): string {
  return `${JSON.stringify(kind) ?? 'no kind'} of ${JSON.stringify(apiVersion) ?? 'no apiVersion'}`.slice(0, 200);
}

function isOperation(value: unknown): value is AdmissionOperation {
  return typeof value === 'string' && OPERATIONS.has(value);
}

function userOf({ username, uid, groups, extra }: JsonRecord): RequestUser {
  const lists = Object.entries(recordOf(extra)).map(([key, values]) => [key, textsOf(values)] as const);
  return {
    name: textOf(username),
    uid: textOf(uid) || undefined,
    groups: textsOf(groups),
    extra: Object.fromEntries(lists),
  };
}

function textsOf(values: unknown): readonly string[] {
  return listOf(values).map(textOf);
}
