/** The endpoints beside the API: health, version, metrics and debug pages. */
import { genericFailure, MEDIA_TYPE } from '@listwatch/api';
import type { Registry } from 'prom-client';
import type { ApiResponse, BytesResponse } from '../contract/api-response.ts';
import type { Route } from '../contract/route.ts';
import { HEALTH_ENDPOINTS, type Health, type HealthEndpoint } from './health.ts';

/** What the endpoints show. */
export interface BuiltInEndpointsOptions {
  readonly health: Health;
  readonly registry: Registry;
  /** Text that `/metrics` shows behind the registry's own. Default: none. */
  readonly moreMetrics?: (() => string) | undefined;
  /** The document of `/version`, JSON as it is sent. Absent: the handler answers. */
  readonly version?: Buffer | undefined;
  /** What `/debug/cache` shows, anything that is JSON. Absent: the handler answers. */
  readonly debugCache?: (() => unknown) | undefined;
  /** What `/debug/overview` and `/debug/history` answer. Absent: the handler answers. */
  readonly debugState?: DebugState | undefined;
  /** The documents of OpenID Connect. Absent: the handler answers. */
  readonly openId?: OpenIdDocuments | undefined;
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
  const { health, registry, moreMetrics, version, debugCache, debugState, openId } = options;
  return (route) => {
    if (route.path.type !== 'other') return undefined;
    const [first = '', ...rest] = route.path.parts;
    if (isHealthEndpoint(first)) return readOnly(route, () => health.answer(first, rest.join('/'), route));
    switch (route.path.parts.join('/')) {
      case 'version':
        // Not even a HEAD, as in kube-apiserver.
        if (version !== undefined && route.method !== 'GET') throw genericFailure(405);
        return version && Promise.resolve(bytes(MEDIA_TYPE.json, version));
      case 'metrics':
        return readOnly(route, async () => {
          const text = `${await registry.metrics()}${moreMetrics?.() ?? ''}`;
          return bytes(registry.contentType, Buffer.from(text, 'utf8'));
        });
      case 'debug/cache':
        return debugCache && readOnly(route, async () => bytes(MEDIA_TYPE.json, json(debugCache())));
      case 'debug/overview':
        return debugState && readOnly(route, () => debugState.overview(route.kind === 'watch'));
      case 'debug/history':
        return debugState && readOnly(route, () => debugState.history(route.kind === 'watch'));
      case '.well-known/openid-configuration':
        return openId && getOnly(route, () => bytes(MEDIA_TYPE.json, compactJson(openId.configuration())));
      case 'openid/v1/jwks':
        return openId && getOnly(route, () => bytes(JWK_SET, compactJson(openId.jwks())));
      default:
        return undefined;
    }
  };
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
