/** Dispatch: finds the verb that answers a route. */

import {
  badRequest,
  type DiscoveryRequestPath,
  genericFailure,
  isStatusError,
  quote,
  type RequestVerb,
  type ResourceRequestPath,
} from '@listwatch/api';
import { extended } from '@listwatch/api/values';
import { failureResponse } from '../answer/failure-response.ts';
import { indentJson } from '../answer/json-layout.ts';
import { notFoundPage } from '../answer/text-response.ts';
import { warningHeader } from '../answer/warning-header.ts';
import type { Warn } from '../contract/admission.ts';
import type { ApiRequest } from '../contract/api-request.ts';
import type { ApiResponse } from '../contract/api-response.ts';
import type { Route } from '../contract/route.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import type { VirtualEndpoint, VirtualEndpoints } from '../contract/virtual-endpoint.ts';
import { aggregatedResponse } from '../discovery/aggregated-discovery.ts';
import type { ServedDiscovery } from '../discovery/discovery.ts';
import type { ResourceDefinition } from '../kinds/resource-definition.ts';
import { UnencodableSink } from '../watch/unencodable-sink.ts';
import { answerScale } from '../write/subresources/answer-scale.ts';
import { customTarget } from './custom-route.ts';
import {
  checkTransform,
  type EndpointKind,
  type NegotiatedForm,
  negotiate,
  negotiateFailure,
  wantsAggregatedDiscovery,
} from './negotiate.ts';
import { answerOpenApi, type OpenApiEndpointParts } from './openapi-endpoint.ts';
import type { RequestHandler } from './pipeline.ts';

/** The verbs that the server implements. */
export type VerbTable = Readonly<Record<Exclude<RequestVerb, 'proxy'>, Verb>>;

/** What a handler needs. */
export interface ApiHandlerParts {
  readonly context: VerbContext;
  readonly verbs: VerbTable;
  /** Hears of requests for deprecated versions. */
  readonly onDeprecated?: ((path: ResourceRequestPath) => void) | undefined;
  readonly discovery: ServedDiscovery;
  /** The endpoints that compute their answer. */
  readonly virtualEndpoints: VirtualEndpoints;
  readonly openApi: OpenApiEndpointParts;
  /** The answer of a backend; undefined when this server itself answers. Default: it always does. */
  readonly backends?: ((request: ApiRequest) => Promise<ApiResponse> | undefined) | undefined;
  /** Waits until the server knows all custom kinds that the store has now. Default: it does not wait. */
  readonly catchUp?: ((signal: AbortSignal) => Promise<void>) | undefined;
}

/** Answers everything below `/api`, `/apis` and `/openapi`; any other path is a 404. */
export function createApiHandler(parts: ApiHandlerParts): RequestHandler {
  return async (request) => {
    const { path, rawPath } = request.route;
    // Authorization ignores more than one slash in front; kube-apiserver has no route for such a path.
    if (/^\/(?:\/|%2f)/iu.test(rawPath)) return notFoundPage();
    const proxied = parts.backends?.(request);
    if (proxied !== undefined) return proxied;
    switch (path.type) {
      case 'resource':
        return answerResource(parts, request, path);
      case 'discovery':
        if (discoveryDocument(parts.discovery, path) === undefined) await parts.catchUp?.(request.signal);
        return answerDiscovery(parts.discovery, request, path);
      case 'malformed':
        throw genericFailure(404);
      case 'other':
        return answerOpenApi(parts.openApi, request) ?? notFoundPage();
    }
  };
}

async function answerResource(
  parts: ApiHandlerParts,
  request: ApiRequest,
  path: ResourceRequestPath,
): Promise<ApiResponse> {
  const { context, verbs, discovery, virtualEndpoints } = parts;
  const { group, version, resource, subresource } = path;
  if (group !== '' && !discovery.isBuiltIn(group, version)) return answerCustom(parts, request, path);
  const endpoint = virtualEndpoints(group, version, resource, subresource);
  if (endpoint !== undefined) return answerComputed(parts, request, path, endpoint);
  const definition = context.kinds.find(group, version, resource);
  if (definition === undefined || !isServedPath(definition, path)) throw genericFailure(404);
  const verb = servedVerb(request.route, path);
  if (verb === undefined || !allows(definition, path, verb)) throw genericFailure(405);
  checkNamespace(definition, path);
  return runVerb(parts, verbs[verb], { request, path, definition, form: formOf(request, verb, definition) });
}

/** A custom kind: what is not served is answered with a plain page, as for an unknown group. */
async function answerCustom(
  parts: ApiHandlerParts,
  request: ApiRequest,
  path: ResourceRequestPath,
): Promise<ApiResponse> {
  const { context, verbs, catchUp } = parts;
  const find = (): ResourceDefinition | undefined => context.kinds.find(path.group, path.version, path.resource);
  let definition = find();
  if (definition === undefined && catchUp !== undefined) {
    // Another server may have told the client of a kind that this one is about to hear of.
    await catchUp(request.signal);
    definition = find();
  }
  const target = definition && customTarget(definition, request, path);
  if (definition === undefined || target === undefined) return notFoundPage();
  checkNamespace(definition, path);
  const { verb } = request.route;
  if (target === 'scale' && definition.custom?.scale !== undefined) {
    const form = negotiate(request.header('accept'), 'object', request.route.pretty);
    return runVerb(parts, answerScale, { request, path, definition, form });
  }
  if (!isServedVerb(verb)) throw genericFailure(405);
  return runVerb(parts, verbs[verb], { request, path, definition, form: formOf(request, verb, definition) });
}

async function runVerb(
  parts: ApiHandlerParts,
  verb: Verb,
  call: Omit<ResourceCall, 'form' | 'warn'> & { readonly form: NegotiatedForm },
): Promise<ApiResponse> {
  const { definition, form } = call;
  // Only the first request of a group waits.
  const loading = definition.load();
  if (loading !== undefined) await loading;
  const response = await warningAnswer(parts, call, (warn) => verb(parts.context, extended(call, { warn })));
  if (response.type !== 'watch' || form.transform !== 'PartialObjectMetadataList') return response;
  return { ...response, start: (sink) => response.start(new UnencodableSink(sink)) };
}

/** Answers a review or a computed subresource. Its verbs are those that discovery shows. */
async function answerComputed(
  api: ApiHandlerParts,
  request: ApiRequest,
  path: ResourceRequestPath,
  endpoint: VirtualEndpoint,
): Promise<ApiResponse> {
  const { subresource, name, prefix, parts, belowNamespace } = path;
  const { definition } = endpoint;
  const { namespaced } = definition.resource;
  const hasName = subresource !== '';
  const isLong = parts.length > 3 && endpoint.takesRest !== true;
  if (prefix !== undefined || isLong || (name !== '') !== hasName || namespaced !== belowNamespace)
    throw genericFailure(404);
  const verbs = hasName ? definition.data.subresources[subresource]?.verbs : definition.verbs;
  const { verb, method } = request.route;
  // A proxy passes every method on.
  const isAllowed = endpoint.takesRest === true || (method !== 'HEAD' && verbs?.includes(verb) === true);
  if (!isAllowed) throw genericFailure(405);
  checkNamespace(definition, path);
  const shape = endpoint.hasTable ? 'object' : 'untabled';
  const form = negotiate(
    endpoint.connects === true ? undefined : request.header('accept'),
    shape,
    request.route.pretty,
  );
  checkTransform(form, 'object', goType(definition, 'object'));
  await definition.load();
  return warningAnswer(api, { definition, request, path }, (warn) =>
    endpoint.answer(api.context, { request, path, definition, form, warn }),
  );
}

/**
 * Adds warnings to an answer, to refusals as well: that of a deprecated kind, and what the verb warns about. Watches go
 * without: their headers are not the verb's.
 */
async function warningAnswer(
  { onDeprecated }: ApiHandlerParts,
  { definition: { deprecation }, request, path }: Pick<ResourceCall, 'definition' | 'path' | 'request'>,
  answer: (warn: Warn) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const warnings = deprecation === undefined ? [] : [deprecation];
  if (deprecation !== undefined) {
    onDeprecated?.(path);
    request.audit?.deprecated();
  }
  const response = await answer((text) => warnings.push(text)).catch((error: unknown) => {
    if (warnings.length === 0 || !isStatusError(error)) throw error;
    request.audit?.status(error.status);
    return failureResponse(error, negotiateFailure(request.header('accept'), request.route.pretty));
  });
  if (warnings.length === 0 || response.type === 'watch' || response.type === 'tunnel') return response;
  const { warning } = response.headers;
  const own = warningHeader(warnings)['warning'] ?? '';
  return { ...response, headers: { ...response.headers, warning: warning === undefined ? own : `${own}, ${warning}` } };
}

/** Does kube-apiserver have a route for the path, whatever the method? */
function isServedPath({ resource, subresources }: ResourceDefinition, path: ResourceRequestPath): boolean {
  const { belowNamespace, name, parts, prefix, subresource } = path;
  if (prefix === 'proxy' || parts.length > 3) return false;
  if (subresource !== '' && (prefix === 'watch' || !Object.hasOwn(subresources, subresource))) return false;
  // The list of a namespaced kind over all namespaces has no objects below it.
  return resource.namespaced ? belowNamespace || name === '' : !belowNamespace;
}

/** Verbs that are served on collections only (false) or on objects only (true). The other verbs imply it. */
const ON_OBJECT: Readonly<Record<string, boolean>> = { create: false, patch: true, update: true };

/** The verb that answers a route; undefined when the method is not allowed there, with any verb. */
function servedVerb({ method, verb }: Route, { name, prefix }: ResourceRequestPath): keyof VerbTable | undefined {
  // Authorization takes a HEAD for a get or a list, but kube-apiserver serves it neither on resources nor on documents.
  if (method === 'HEAD' || (prefix === 'watch' && method !== 'GET')) return undefined;
  if ((ON_OBJECT[verb] ?? name !== '') !== (name !== '')) return undefined;
  return isServedVerb(verb) ? verb : undefined;
}

function isServedVerb(verb: string): verb is keyof VerbTable {
  return Object.hasOwn(ENDPOINT, verb);
}

/** Refuses namespaces that no object can be in: their keys would name a place outside of the kind's own. */
function checkNamespace(
  { resource }: ResourceDefinition,
  { namespace, belowNamespace, name }: ResourceRequestPath,
): void {
  if (!resource.namespaced || !belowNamespace) return;
  if (namespace === '' && name !== '') throw badRequest('Namespace parameter required.');
  if (namespace !== '.' && namespace !== '..') return;
  throw badRequest(`Namespace parameter invalid: ${quote(namespace)}: may not be '${namespace}'`);
}

function allows(definition: ResourceDefinition, path: ResourceRequestPath, verb: keyof VerbTable): boolean {
  // Over all namespaces there are only lists and watches.
  if (definition.resource.namespaced && !path.belowNamespace && verb !== 'list' && verb !== 'watch') return false;
  const verbs = path.subresource === '' ? definition.verbs : (definition.subresources[path.subresource] ?? []);
  return verbs.includes(verb);
}

function formOf(request: ApiRequest, verb: keyof VerbTable, definition: ResourceDefinition): NegotiatedForm {
  const endpoint = ENDPOINT[verb];
  const isCustom = definition.custom !== undefined;
  const form = negotiate(request.header('accept'), endpoint, request.route.pretty, isCustom);
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

function answerDiscovery(discovery: ServedDiscovery, request: ApiRequest, path: DiscoveryRequestPath): ApiResponse {
  const document = discoveryDocument(discovery, path);
  if (document === undefined) {
    if (path.scope === 'version' && path.group === '') throw genericFailure(404);
    return notFoundPage();
  }
  const { method, pretty } = request.route;
  if (method !== 'GET' && !(method === 'HEAD' && hasHead(discovery, path))) throw genericFailure(405);
  const accept = request.header('accept');
  if ((path.scope === 'core' || path.scope === 'groups') && wantsAggregatedDiscovery(accept)) {
    const aggregated = path.scope === 'core' ? discovery.aggregatedCore : discovery.aggregatedGroups;
    return aggregatedResponse(aggregated, request.header('if-none-match'));
  }
  const form = negotiate(accept, 'none', pretty);
  const body = form.pretty ? indentJson(document) : document;
  return { type: 'bytes', status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** kube-apiserver has no HEAD for `/api` and for the versions of its own groups. */
function hasHead(discovery: ServedDiscovery, path: DiscoveryRequestPath): boolean {
  return path.scope === 'version' ? !discovery.isBuiltIn(path.group, path.version) : path.scope !== 'core';
}

function discoveryDocument(discovery: ServedDiscovery, path: DiscoveryRequestPath): Buffer | undefined {
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
