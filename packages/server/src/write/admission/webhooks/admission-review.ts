/** The AdmissionReview that a webhook is sent, and the one that it answers with. Pure. */

import { isRecord, type JsonRecord, listOf, textOf } from '@listwatch/api/values';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import { admissionRequestJson } from '../dynamic/admission-request-json.ts';
import { answeredStatus, goWord } from './answered-status.ts';
import type { CompiledWebhook } from './compiled-webhook.ts';
import { WebhookFailure } from './webhook-failure.ts';

const GROUP = 'admission.k8s.io';
/** As kube-apiserver names the place in its source. */
const SCHEME = 'k8s.io/apiserver/pkg/util/webhook/client.go';

/** The content of a review request. */
export interface ReviewQuestion {
  readonly uid: string;
  readonly request: DynamicRequest;
  /** The resource as the rule names it; the objects are in its version. */
  readonly matched: ResourceDefinition;
  readonly object: unknown;
  readonly old: unknown;
}

/** The body of the call, in the order of Kubernetes' fields. */
export function admissionReview({ reviewVersion }: CompiledWebhook, question: ReviewQuestion): JsonRecord {
  const { uid, request, matched, object, old } = question;
  const { dryRun, options, ...head } = admissionRequestJson(request, matched);
  return {
    kind: 'AdmissionReview',
    apiVersion: `${GROUP}/${reviewVersion}`,
    request: { uid, ...head, object: object ?? null, oldObject: old ?? null, dryRun, options },
  };
}

/** The response of a webhook. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly status: JsonRecord | undefined;
  /** The decoded bytes; `''`: none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: readonly (readonly [key: string, value: string])[];
}

/** Reads the answer. Throws the `WebhookFailure` that says what is wrong with it. */
export function readResponse(hook: CompiledWebhook, uid: string, answer: unknown): ReviewResponse {
  const review = requireReview(hook, answer);
  const { response } = review;
  if (!isRecord(response)) throw WebhookFailure.badAnswer('webhook response was absent');
  const status = isRecord(response['status']) ? answeredStatus(response['status']) : undefined;
  const patch = textOf(response['patch']);
  const hasType = typeof response['patchType'] === 'string';
  const patchType = textOf(response['patchType']);
  if (hook.reviewVersion === 'v1') requireV1(hook, review, response, { uid, patch, hasType, patchType });
  const isJsonPatch = hook.reviewVersion === 'v1beta1' && patch !== '';
  return {
    allowed: response['allowed'] === true,
    status,
    patch: hook.type === 'mutating' ? decodeBase64(patch) : '',
    patchType: isJsonPatch ? 'JSONPatch' : patchType,
    warnings: listOf(response['warnings']).map(textOf),
    auditAnnotations: isRecord(response['auditAnnotations'])
      ? Object.entries(response['auditAnnotations']).map(([key, value]) => [key, textOf(value)] as const)
      : [],
  };
}

/** Checks kind and version of the review. Missing ones default to those of the request. */
function requireReview({ reviewVersion }: CompiledWebhook, answer: unknown): JsonRecord {
  const problem = typeProblem(answer);
  if (problem !== undefined) throw WebhookFailure.notCalled(`couldn't get version/kind; json parse error: ${problem}`);
  const review: JsonRecord = isRecord(answer) ? answer : {};
  const kind = textOf(review['kind']) || 'AdmissionReview';
  const apiVersion = textOf(review['apiVersion']) || `${GROUP}/${reviewVersion}`;
  const version = apiVersion.startsWith(`${GROUP}/`) ? apiVersion.slice(GROUP.length + 1) : '';
  if (kind !== 'AdmissionReview' || (version !== 'v1' && version !== 'v1beta1')) {
    const text = JSON.stringify;
    throw WebhookFailure.notCalled(
      `no kind ${text(kind)} is registered for version ${text(apiVersion)} in scheme ${text(SCHEME)}`,
    );
  }
  const wrong = responseProblem(review);
  if (wrong !== undefined) throw WebhookFailure.notCalled(wrong);
  if (version !== reviewVersion) {
    throw WebhookFailure.notCalled(
      `converting (${version}.AdmissionReview) to (${reviewVersion}.AdmissionReview): unknown conversion`,
    );
  }
  return review;
}

const TYPE_META =
  'Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function typeProblem(answer: unknown): string | undefined {
  if (isRecord(answer) || answer === null) return undefined;
  return `json: cannot unmarshal ${goWord(answer)} into ${TYPE_META}`;
}

const RESPONSE_TYPES: readonly (readonly [field: string, type: string, is: (value: unknown) => boolean])[] = [
  ['uid', 'types.UID', (value) => typeof value === 'string'],
  ['allowed', 'bool', (value) => typeof value === 'boolean'],
  ['status', 'v1.Status', isRecord],
  ['patch', '[]uint8', (value) => typeof value === 'string'],
  ['patchType', 'v1.PatchType', (value) => typeof value === 'string'],
  ['auditAnnotations', 'map[string]string', isRecord],
  ['warnings', '[]string', Array.isArray],
];

/** A field of the wrong type, in the words of Go. */
function responseProblem({ response }: JsonRecord): string | undefined {
  if (response === undefined || response === null) return undefined;
  const into = 'Go struct field AdmissionReview.response of type v1.AdmissionResponse';
  if (!isRecord(response)) return `json: cannot unmarshal ${goWord(response)} into ${into}`;
  for (const [field, type, is] of RESPONSE_TYPES) {
    const value = response[field];
    if (value === undefined || value === null || is(value)) continue;
    return `json: cannot unmarshal ${goWord(value)} into Go struct field AdmissionResponse.response.${field} of type ${type}`;
  }
  const patch = textOf(response['patch']);
  const at = base64Problem(patch);
  return at === undefined ? undefined : `illegal base64 data at input byte ${at}`;
}

/** The checks of Kubernetes for a v1 response; v1beta1 has none of them. */
function requireV1(
  { type }: CompiledWebhook,
  review: JsonRecord,
  response: JsonRecord,
  given: { readonly uid: string; readonly patch: string; readonly hasType: boolean; readonly patchType: string },
): void {
  const { uid, patch, hasType, patchType } = given;
  const got = textOf(response['uid']);
  const text = JSON.stringify;
  if (got !== uid) throw WebhookFailure.badAnswer(`expected response.uid=${text(uid)}, got ${text(got)}`);
  const named = { kind: textOf(review['kind']), apiVersion: textOf(review['apiVersion']) };
  if (named.kind === '' || named.apiVersion === '') {
    const wanted = `${GROUP}/v1, Kind=AdmissionReview`;
    throw WebhookFailure.badAnswer(
      `expected webhook response of ${wanted}, got ${named.apiVersion || '/'}, Kind=${named.kind}`,
    );
  }
  if (type === 'validating') {
    if (patch !== '') throw WebhookFailure.badAnswer('validating webhook may not return response.patch');
    if (hasType) throw WebhookFailure.badAnswer('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && !hasType) {
    throw WebhookFailure.badAnswer('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && hasType) {
    throw WebhookFailure.badAnswer('webhook returned response.patchType but not response.patch');
  }
  if (hasType && patchType === '') throw WebhookFailure.badAnswer('webhook returned invalid response.patchType of ""');
}

/** Where text stops being base64; undefined when it is. Line breaks are allowed, as in Go. */
function base64Problem(text: string): number | undefined {
  const plain = text.replace(/[\r\n]/gu, '');
  const bad = plain.search(/[^A-Za-z0-9+/]/u);
  const end = bad < 0 ? plain.length : bad;
  const padding = plain.slice(end);
  const isWhole = (end + padding.length) % 4 === 0 && end % 4 !== 1;
  return isWhole && (padding === '' || padding === '=' || padding === '==') ? undefined : end;
}

function decodeBase64(text: string): string {
  return Buffer.from(text, 'base64').toString();
}
