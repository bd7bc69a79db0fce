/** The options of delete and deletecollection: from the body, or from the query when there is none. */

import {
  badRequest,
  type FieldError,
  fieldInvalid,
  fieldNotSupported,
  firstValue,
  IntegerError,
  invalid,
  MEDIA_TYPE,
  META_GROUP,
  PARAM,
  type PropagationPolicy,
  parseBoolean,
  parseInt64,
  parseQuery,
  quote,
} from '@listwatch/api';
import { isJsonNumber, type JsonRecord, listOf, recordOf, textOf } from '@listwatch/api/values';
import { BUILT_IN_SCHEMAS } from '@listwatch/kinds/schemas';
import { decodeProblem, type TypeName } from '@listwatch/schema';
import type { ApiRequest } from '../../contract/api-request.ts';
import { type JsonDocument, SyntaxProblem } from '../body/json-document.ts';
import { bodyType, envelopeType, parseBody, type RequestBody } from '../body/request-body.ts';
import { typeMetaProblem } from '../body/type-problem.ts';
import { validateDryRun } from '../body/write-options.ts';

/** The parsed DeleteOptions. */
export interface DeletionOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** The old form of the policy: true is Orphan, false is Background. */
  readonly orphanDependents: boolean | undefined;
  /** Delete only the object with this uid. */
  readonly uid: string | undefined;
  /** Delete only the object at this version. */
  readonly resourceVersion: string | undefined;
  /** Delete a value that cannot be decoded, whatever finalizers and preconditions it may have. */
  readonly ignoresReadError: boolean;
}

interface Asked extends Omit<DeletionOptions, 'dryRun' | 'propagationPolicy'> {
  readonly dryRun: readonly string[];
  readonly propagationPolicy: string | undefined;
}

const KIND = 'DeleteOptions';
const TYPE: TypeName = `meta/v1.${KIND}`;
const SCHEME = 'k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27';
/** As Kubernetes names it: such an object cannot be read, so nobody knows what depends on it. */
const IGNORE_READ_ERROR = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const POLICIES: readonly PropagationPolicy[] = ['Foreground', 'Background', 'Orphan'];

/** Reads the options. Throws the 400 for options that cannot be read, the 422 for options that do not go together. */
export async function readDeleteOptions(request: ApiRequest): Promise<DeletionOptions> {
  const bytes = await request.body();
  if (bytes.length === 0) return completed(fromQuery(request.query));
  await BUILT_IN_SCHEMAS.load(TYPE);
  const asked = fromBody({ mediaType: bodyType(request), bytes });
  if (request.audit?.takesRequest === true) request.audit.requestObject(Buffer.from(recordedOptions(asked)));
  return completed(asked);
}

/** As the audit log of Kubernetes shows them, with the version that it has only there. */
function recordedOptions({ uid, resourceVersion, ignoresReadError, dryRun, ...asked }: Asked): string {
  const hasPreconditions = uid !== undefined || resourceVersion !== undefined;
  return JSON.stringify({
    kind: KIND,
    apiVersion: `${META_GROUP}/__internal`,
    ...asked,
    preconditions: hasPreconditions ? { uid, resourceVersion } : undefined,
    dryRun: dryRun.length > 0 ? dryRun : undefined,
    [IGNORE_READ_ERROR]: ignoresReadError || undefined,
  });
}

/** The options in an object whose types are right, such as an Eviction. Throws the 422 as `readDeleteOptions`. */
export function deleteOptionsOf(options: JsonRecord): DeletionOptions {
  return completed(fromRecord(options));
}

function completed(asked: Asked): DeletionOptions {
  const errors = validate(asked);
  if (errors.length > 0) throw invalid({ group: META_GROUP, kind: KIND }, '', errors);
  const { gracePeriodSeconds } = asked;
  return {
    ...asked,
    dryRun: asked.dryRun.length > 0,
    propagationPolicy: POLICIES.find((policy) => policy === asked.propagationPolicy),
    // A negative grace period counts as 1 second, as in Kubernetes.
    gracePeriodSeconds: gracePeriodSeconds !== undefined && gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds,
  };
}

function validate({ propagationPolicy, orphanDependents, dryRun }: Asked): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(fieldInvalid(PARAM.propagationPolicy, propagationPolicy, why));
  }
  if (propagationPolicy !== undefined && !POLICIES.some((policy) => policy === propagationPolicy)) {
    errors.push(fieldNotSupported(PARAM.propagationPolicy, propagationPolicy, [...POLICIES, 'nil']));
  }
  return [...errors, ...validateDryRun(dryRun)];
}

function fromQuery(queryString: string): Asked {
  const query = parseQuery(queryString);
  const orphan = firstValue(query, PARAM.orphanDependents);
  return {
    dryRun: query.get(PARAM.dryRun) ?? [],
    gracePeriodSeconds: integer(firstValue(query, PARAM.gracePeriodSeconds)),
    propagationPolicy: firstValue(query, PARAM.propagationPolicy),
    orphanDependents: orphan === undefined ? undefined : parseBoolean(orphan),
    uid: undefined,
    resourceVersion: undefined,
    ignoresReadError: parseBoolean(firstValue(query, IGNORE_READ_ERROR)),
  };
}

function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return Number(parseInt64(text));
  } catch (error) {
    throw error instanceof IntegerError ? badRequest(error.message, error) : error;
  }
}

function fromBody(body: RequestBody): Asked {
  const { value } = parse(body);
  const unreadable = typeMetaProblem(value);
  if (unreadable !== undefined) throw badRequest(noType(unreadable));
  const options = recordOf(value);
  const kind = textOf(options['kind']) || KIND;
  if (kind !== KIND) {
    const version = textOf(options['apiVersion']) || 'v1';
    throw badRequest(`no kind ${quote(kind)} is registered for version ${quote(version)} in scheme ${quote(SCHEME)}`);
  }
  const problem = decodeProblem(BUILT_IN_SCHEMAS.plan(TYPE), options);
  if (problem !== undefined) throw badRequest(problem);
  return fromRecord(options);
}

function fromRecord(options: JsonRecord): Asked {
  const preconditions = recordOf(options['preconditions']);
  return {
    dryRun: listOf(options['dryRun']).map(textOf),
    gracePeriodSeconds: secondsOf(options['gracePeriodSeconds']),
    propagationPolicy: given(options['propagationPolicy'], isText),
    orphanDependents: given(options['orphanDependents'], isBoolean),
    uid: given(preconditions['uid'], isText),
    resourceVersion: given(preconditions['resourceVersion'], isText),
    ignoresReadError: options[IGNORE_READ_ERROR] === true,
  };
}

/** Rounded beyond 2^53 seconds, which no clock can tell apart. */
function secondsOf(value: unknown): number | undefined {
  return isJsonNumber(value) ? Number(value) : undefined;
}

function given<T>(value: unknown, is: (value: unknown) => value is T): T | undefined {
  return is(value) ? value : undefined;
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isText = (value: unknown): value is string => typeof value === 'string';

const EMPTY_DOCUMENT = { repeatingText: undefined, fractionText: undefined, complaints: [] };

function parse(body: RequestBody): JsonDocument {
  try {
    const named = body.mediaType === MEDIA_TYPE.protobuf ? envelopeType(body.bytes) : undefined;
    // A body of another kind is refused for its kind, not for its content.
    if (named !== undefined && named.kind !== '' && named.kind !== KIND) return { ...EMPTY_DOCUMENT, value: named };
    return parseBody(body, () => ({ type: TYPE, schemas: BUILT_IN_SCHEMAS }));
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw badRequest(body.mediaType === MEDIA_TYPE.protobuf ? error.message : noType(error.message));
  }
}

function noType(problem: string): string {
  return `couldn't get version/kind; json parse error: ${problem}`;
}
