/** Which verb answers a request: the map from paths and methods to what the server can do. */

import {
  firstValue,
  genericFailure,
  PARAM,
  parseBoolean,
  parseQuery,
  parseRequestPath,
  type RequestVerb,
  type ResourceRequestPath,
} from '@listwatch/api';
import { indentJson } from '../answer/json-layout.ts';
import { notFoundPage } from '../answer/text-response.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { ApiResponse } from '../contract/api-response.ts';
import type { Authorizer } from '../contract/authorization.ts';
import type { Verb, VerbContext } from '../contract/verb.ts';
import { aggregatedResponse } from '../discovery/aggregated-discovery.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { UnencodableSink } from '../watch/unencodable-sink.ts';
import { answerSelfReview } from '../write/self-review.ts';
import {
  checkTransform,
  type EndpointKind,
  type NegotiatedForm,
  negotiate,
  wantsAggregatedDiscovery,
} from './negotiate.ts';
import type { RequestHandler } from './pipeline.ts';
import { wantsPretty } from './wants-pretty.ts';

/** What the server can do with objects. */
export type VerbTable = Readonly<Record<Exclude<RequestVerb, 'proxy'>, Verb>>;

/** What a handler needs. */
export interface ApiHandlerParts {
  readonly context: VerbContext;
  readonly verbs: VerbTable;
  readonly discovery: Discovery;
  readonly authorizer: Authorizer;
}

/** Answers everything below `/api` and `/apis`; any other path leads nowhere. */
export function createApiHandler(parts: ApiHandlerParts): RequestHandler {
  return async (request) => {
    const path = parseRequestPath(request.path);
    switch (path.type) {
      case 'resource':
        return answerResource(parts, request, path);
      case 'discovery':
        return answerDiscovery(parts.discovery, request, path);
      case 'malformed':
        throw genericFailure(404);
      case 'other':
        return notFoundPage();
    }
  };
}

async function answerResource(
  { context, verbs, discovery, authorizer }: ApiHandlerParts,
  request: ApiRequest,
  path: ResourceRequestPath,
): Promise<ApiResponse> {
  const { group, version, resource } = path;
  // An unknown group is a path that leads nowhere; an unknown resource of a known one is a Status.
  if (discovery.resources(group, version) === undefined && group !== '') return notFoundPage();
  const review = await answerSelfReview(authorizer, request, path);
  if (review !== undefined) return review;
  const definition = context.definition(group, version, resource);
  if (definition === undefined || !hasSubresource(definition, path)) throw genericFailure(404);
  // Objects of a namespace stand below it only; their list over all namespaces has no names below it.
  if (definition.resource.namespaced && path.namespace === '' && path.name !== '') throw genericFailure(404);
  const query = parseQuery(request.query);
  const verb = verbOf(request, path, parseBoolean(firstValue(query, PARAM.watch)));
  if (verb === undefined || !allows(definition, path, verb)) throw genericFailure(405);
  const form = formOf(request, verb, definition);
  const response = await verbs[verb](context, { request, path, definition, form });
  if (response.type !== 'watch' || form.transform !== 'PartialObjectMetadataList') return response;
  return { ...response, start: (sink) => response.start(new UnencodableSink(sink)) };
}

/** The verb of a method on a path; a GET of one object with `watch=true` is a watch of it. */
function verbOf({ method }: ApiRequest, path: ResourceRequestPath, watch: boolean): keyof VerbTable | undefined {
  const isObject = path.name !== '';
  if (path.prefix === 'proxy') return undefined;
  switch (method) {
    // A HEAD is none of them: kube-apiserver answers it with 405, on resources and on the documents of a version.
    case 'GET':
      if (path.prefix === 'watch' || (watch && path.subresource === '')) return 'watch';
      return isObject ? 'get' : 'list';
    case 'POST':
      return isObject ? undefined : 'create';
    case 'PUT':
      return isObject ? 'update' : undefined;
    case 'PATCH':
      return isObject ? 'patch' : undefined;
    case 'DELETE':
      return isObject ? 'delete' : 'deletecollection';
    default:
      return undefined;
  }
}

function hasSubresource({ subresources }: ResourceDefinition, { subresource, parts }: ResourceRequestPath): boolean {
  if (parts.length > 3) return false;
  return subresource === '' || Object.hasOwn(subresources, subresource);
}

function allows(definition: ResourceDefinition, path: ResourceRequestPath, verb: string): boolean {
  const verbs = path.subresource === '' ? definition.verbs : (definition.subresources[path.subresource] ?? []);
  return verbs.includes(verb);
}

function formOf(request: ApiRequest, verb: keyof VerbTable, definition: ResourceDefinition): NegotiatedForm {
  const pretty = wantsPretty(parseQuery(request.query), request.header('user-agent'));
  const endpoint = ENDPOINT[verb];
  const form = negotiate(request.header('accept'), endpoint, pretty);
  if (endpoint === 'list' || endpoint === 'object') checkTransform(form, endpoint, goType(definition, endpoint));
  return form;
}

const ENDPOINT: Readonly<Record<keyof VerbTable, EndpointKind>> = {
  create: 'object',
  delete: 'object',
  deletecollection: 'list',
  get: 'object',
  list: 'list',
  patch: 'object',
  update: 'object',
  watch: 'watch',
};

/** The name of Kubernetes' own type, which its messages mention. */
function goType({ resource: { group, kind } }: ResourceDefinition, endpoint: 'list' | 'object'): string {
  const [name = 'core'] = group === '' ? ['core'] : group.split('.');
  return `*${name}.${kind}${endpoint === 'list' ? 'List' : ''}`;
}

type DiscoveryPath = Extract<ReturnType<typeof parseRequestPath>, { readonly type: 'discovery' }>;

function answerDiscovery(discovery: Discovery, request: ApiRequest, path: DiscoveryPath): ApiResponse {
  const document = discoveryDocument(discovery, path);
  if (document === undefined) {
    if (path.scope === 'version' && path.group === '') throw genericFailure(404);
    return notFoundPage();
  }
  const isHead = request.method === 'HEAD' && path.scope !== 'version';
  if (request.method !== 'GET' && !isHead) throw genericFailure(405);
  const accept = request.header('accept');
  if ((path.scope === 'core' || path.scope === 'groups') && wantsAggregatedDiscovery(accept)) {
    const aggregated = path.scope === 'core' ? discovery.aggregatedCore : discovery.aggregatedGroups;
    return aggregatedResponse(aggregated, request.header('if-none-match'));
  }
  const pretty = wantsPretty(parseQuery(request.query), request.header('user-agent'));
  const form = negotiate(accept, 'none', pretty);
  const body = form.pretty ? indentJson(document) : document;
  return { type: 'bytes', status: 200, headers: { 'content-type': 'application/json' }, body };
}

function discoveryDocument(discovery: Discovery, path: DiscoveryPath): Buffer | undefined {
  switch (path.scope) {
    case 'core':
      return discovery.core;
    case 'groups':
      return discovery.groups;
    case 'group':
      return discovery.group(path.group);
    case 'version':
      return discovery.resources(path.group, path.version);
  }
}
