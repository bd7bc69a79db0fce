/** The endpoints beside the API: health, version, metrics and debug pages. */

import { badRequest, firstValue, genericFailure, MEDIA_TYPE } from '@listwatch/api';
import type { Registry } from 'prom-client';
import type { Audit } from '../access/audit/create-audit.ts';
import type { TrailObject } from '../access/audit/log-tail.ts';
import { decodedPath } from '../access/authorizer.ts';
import type { FlowControl } from '../access/flow/flow-control.ts';
import { flowDump } from '../access/flow/flow-dumps.ts';
import { mergedMetrics } from '../answer/merged-metrics.ts';
import type { ApiResponse, BytesResponse } from '../contract/api-response.ts';
import type { Route } from '../contract/route.ts';
import { HEALTH_ENDPOINTS, type Health, type HealthEndpoint } from './health.ts';

/** What the endpoints show. */
export interface BuiltInEndpointsOptions {
  readonly health: Health;
  readonly registry: Registry;
  /** Text that `/metrics` shows behind the registry's own. Default: none. */
  readonly moreMetrics?: (() => string) | undefined;
  /** The processes beside this one. */
  readonly primary?: { readonly metrics: () => Promise<ReadonlyMap<string, string>> } | undefined;
  /** The document of `/version`, JSON as it is sent. Absent: the handler answers. */
  readonly version?: Buffer | undefined;
  /** What `/debug/cache` shows, anything that is JSON. Absent: the handler answers. */
  readonly debugCache?: (() => unknown) | undefined;
  /** What `/debug/overview` and `/debug/history` answer. Absent: the handler answers. */
  readonly debugState?: DebugState | undefined;
  /** What `/debug/audit` answers. Absent: the handler answers, with 404. */
  readonly debugAudit?: Audit['trail'];
  /** What `/debug/webhooks` answers. Absent: the handler answers, with 404. */
  readonly debugWebhooks?: (() => unknown) | undefined;
  /** The documents of OpenID Connect. Absent: the handler answers. */
  readonly openId?: OpenIdDocuments | undefined;
  /** What `/debug/api_priority_and_fairness/` shows. Absent: the handler answers, with 404. */
  readonly flowControl?: FlowControl | undefined;
}

/** The state of the server, once or as a stream. */
export interface DebugState {
  overview(isWatch: boolean): Promise<ApiResponse>;
  history(isWatch: boolean): Promise<ApiResponse>;
}

/** What verifiers of service account tokens read. */
export interface OpenIdDocuments {
  /** `/.well-known/openid-configuration` */
  configuration(): object;
  /** `/openid/v1/jwks` */
  jwks(): object;
}

/** Answers a request for a built-in endpoint; undefined for any other path. */
export type BuiltInEndpoints = (route: Route) => Promise<ApiResponse> | undefined;

/** Makes the endpoints. */
export function builtInEndpoints(options: BuiltInEndpointsOptions): BuiltInEndpoints {
  const { health, registry, moreMetrics, version, debugCache, debugState, debugAudit, debugWebhooks } = options;
  const { openId, flowControl, primary } = options;
  return (route) => {
    if (route.path.type !== 'other' || !isExact(route.rawPath, route.path.parts)) return undefined;
    const [first = '', ...rest] = route.path.parts;
    if (isHealthEndpoint(first)) return readOnly(route, () => health.answer(first, rest.join('/'), route));
    switch (route.path.parts.join('/')) {
      case 'version':
        // Not even a HEAD, as in kube-apiserver.
        if (version !== undefined && route.method !== 'GET') throw genericFailure(405);
        return version && Promise.resolve(bytes(MEDIA_TYPE.json, version));
      case 'metrics':
        return readOnly(route, async () => {
          const own = `${await registry.metrics()}${moreMetrics?.() ?? ''}`;
          const text = primary === undefined ? own : mergedMetrics(own, await primary.metrics());
          return bytes(registry.contentType, Buffer.from(text, 'utf8'));
        });
      case 'debug/cache':
        return debugCache && readOnly(route, async () => bytes(MEDIA_TYPE.json, json(debugCache())));
      case 'debug/overview':
        return debugState && readOnly(route, () => debugState.overview(route.kind === 'watch'));
      case 'debug/history':
        return debugState && readOnly(route, () => debugState.history(route.kind === 'watch'));
      case 'debug/audit':
        return (
          debugAudit && readOnly(route, async () => bytes(MEDIA_TYPE.json, json(await debugAudit(objectIn(route)))))
        );
      case 'debug/webhooks':
        return debugWebhooks && readOnly(route, async () => bytes(MEDIA_TYPE.json, json(debugWebhooks())));
      case '.well-known/openid-configuration':
        return openId && getOnly(route, () => bytes(MEDIA_TYPE.json, compactJson(openId.configuration())));
      case 'openid/v1/jwks':
        return openId && getOnly(route, () => bytes(JWK_SET, compactJson(openId.jwks())));
      default:
        return flowControl && flowEndpoint(flowControl, route);
    }
  };
}

/** Paths that are served with a slash at their end, too, as in kube-apiserver. */
const WITH_SLASH: ReadonlySet<string> = new Set(['/version', '/openid/v1/jwks']);

/** `//metrics` and `/metrics/` are other paths to an authorizer and to an audit policy: what they guard must not be there, too. */
function isExact(rawPath: string, parts: readonly string[]): boolean {
  const path = decodedPath(rawPath);
  const exact = `/${parts.join('/')}`;
  return path === exact || (path === `${exact}/` && WITH_SLASH.has(exact));
}

/** The dumps of flow control. */
function flowEndpoint(control: FlowControl, route: Route): Promise<ApiResponse> | undefined {
  const [first, second, name = '', ...rest] = route.path.type === 'other' ? route.path.parts : [];
  if (first !== 'debug' || second !== 'api_priority_and_fairness' || rest.length > 0) return undefined;
  const withDetails = (firstValue(route.query, 'includeRequestDetails') ?? '') !== '';
  const text = flowDump(control, name, withDetails);
  return text === undefined ? undefined : readOnly(route, async () => bytes('text/plain', Buffer.from(text, 'utf8')));
}

/** `?group=apps&resource=deployments&namespace=default&name=web` */
function objectIn({ query }: Route): TrailObject {
  const value = (name: string): string => firstValue(query, name) ?? '';
  const object = {
    group: value('group'),
    resource: value('resource'),
    namespace: value('namespace'),
    name: value('name'),
  };
  if (object.resource === '' || object.name === '') throw badRequest('resource and name must be given');
  return object;
}

const JWK_SET = 'application/jwk-set+json';

async function readOnly({ method }: Route, answer: () => Promise<ApiResponse>): Promise<ApiResponse> {
  if (method !== 'GET' && method !== 'HEAD') throw genericFailure(405);
  return answer();
}

/** Not even a HEAD, as in kube-apiserver. */
async function getOnly({ method }: Route, answer: () => BytesResponse): Promise<ApiResponse> {
  if (method !== 'GET') throw genericFailure(405);
  const response = answer();
  // Keys change seldom; verifiers keep them for an hour, as kube-apiserver tells them.
  return { ...response, headers: { ...response.headers, 'cache-control': 'public, max-age=3600' } };
}

function isHealthEndpoint(name: string): name is HealthEndpoint {
  return HEALTH_ENDPOINTS.some((endpoint) => endpoint === name);
}

function bytes(contentType: string, body: Buffer): BytesResponse {
  return { type: 'bytes', status: 200, headers: { 'content-type': contentType }, body };
}

function compactJson(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8');
}
