/** What a user may ask of itself: who am I, and may I do this? Answered, never stored. */

import { badRequest, genericFailure, HEADER, MEDIA_TYPE, type ResourceRequestPath } from '@listwatch/api';
import type { TypeName } from '@listwatch/schema';
import type { ApiRequest, UserInfo } from '../contract/api-request.ts';
import type { ApiResponse } from '../contract/api-response.ts';
import type { Authorizer } from '../contract/authorization.ts';
import type { DiscoveryResource } from '../discovery/discovery-resource.ts';
import { BUILT_IN_SCHEMAS } from '../kinds/kind-schemas.ts';
import { encodeJson } from '../kinds/shapes/exact-json.ts';
import { SyntaxProblem } from './body/json-document.ts';
import { parseBody, readBody } from './body/request-body.ts';

/** The reviews, as discovery shows them. */
export const SELF_REVIEWS: readonly DiscoveryResource[] = [
  review('authentication.k8s.io', 'selfsubjectreviews', 'SelfSubjectReview'),
  review('authorization.k8s.io', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview'),
];

/** Answers a review; undefined when the path is none. */
export async function answerSelfReview(
  authorizer: Authorizer,
  request: ApiRequest,
  path: ResourceRequestPath,
): Promise<ApiResponse | undefined> {
  const found = SELF_REVIEWS.find(({ group, version, plural }) => {
    return group === path.group && version === path.version && plural === path.resource;
  });
  if (found === undefined) return undefined;
  if (request.method !== 'POST' || path.name !== '') throw genericFailure(405);
  const body = await readReview(request, found.kind);
  const status =
    found.kind === 'SelfSubjectReview'
      ? { userInfo: userInfo(request.user) }
      : await accessStatus(authorizer, request.user, body);
  const type = { kind: found.kind, apiVersion: `${found.group}/${found.version}` };
  const answer = { ...body, ...type, metadata: {}, status };
  const headers = { [HEADER.contentType.toLowerCase()]: MEDIA_TYPE.json };
  return { type: 'bytes', status: 201, headers, body: Buffer.from(`${encodeJson(answer)}\n`) };
}

function userInfo({ name: username, uid, groups, extra }: UserInfo): object {
  return { username, uid, groups, extra };
}

function review(group: string, plural: string, kind: string): DiscoveryResource {
  const singular = kind.toLowerCase();
  return { group, version: 'v1', plural, singular, kind, namespaced: false, verbs: ['create'] };
}

const TYPES: ReadonlyMap<string, TypeName> = new Map([
  ['SelfSubjectAccessReview', 'authorization/v1.SelfSubjectAccessReview'],
  ['SelfSubjectReview', 'authentication/v1.SelfSubjectReview'],
]);

async function readReview(request: ApiRequest, expected: string): Promise<Readonly<Record<string, unknown>>> {
  const body = await readBody(request);
  await BUILT_IN_SCHEMAS.loadAll(TYPES.values());
  try {
    const { value } = parseBody(body, ({ kind }) => {
      const type = TYPES.get(kind || expected);
      return type && { type, schemas: BUILT_IN_SCHEMAS };
    });
    if (isRecord(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw badRequest(`the object provided is unrecognized: ${error.message}`);
  }
  throw badRequest('the object provided is unrecognized: it is no object');
}

async function accessStatus(
  authorizer: Authorizer,
  user: UserInfo,
  body: Readonly<Record<string, unknown>>,
): Promise<object> {
  const spec = isRecord(body['spec']) ? body['spec'] : {};
  const resource = isRecord(spec['resourceAttributes']) ? spec['resourceAttributes'] : undefined;
  const other = isRecord(spec['nonResourceAttributes']) ? spec['nonResourceAttributes'] : undefined;
  if ((resource === undefined) === (other === undefined)) {
    throw badRequest('exactly one of nonResourceAttributes or resourceAttributes must be specified');
  }
  const text = (name: string): string => {
    const value = (resource ?? other)?.[name];
    return typeof value === 'string' ? value : '';
  };
  const decision = await authorizer.authorize({
    user,
    verb: text('verb'),
    isResource: resource !== undefined,
    group: text('group'),
    version: text('version'),
    resource: text('resource'),
    subresource: text('subresource'),
    namespace: text('namespace'),
    name: text('name'),
    path: text('path'),
  });
  return decision.allowed ? { allowed: true } : { allowed: false, reason: decision.reason };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
