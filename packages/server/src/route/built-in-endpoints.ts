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
}

/** Answers a request for a built-in endpoint; undefined for any other path. */
export type BuiltInEndpoints = (route: Route) => Promise<ApiResponse> | undefined;

/** Makes the endpoints. */
export function builtInEndpoints(options: BuiltInEndpointsOptions): BuiltInEndpoints {
  const { health, registry, moreMetrics, version, debugCache } = options;
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
      default:
        return undefined;
    }
  };
}

async function readOnly({ method }: Route, answer: () => Promise<ApiResponse>): Promise<ApiResponse> {
  if (method !== 'GET' && method !== 'HEAD') throw genericFailure(405);
  return answer();
}

function isHealthEndpoint(name: string): name is HealthEndpoint {
  return HEALTH_ENDPOINTS.some((endpoint) => endpoint === name);
}

function bytes(contentType: string, body: Buffer): BytesResponse {
  return { type: 'bytes', status: 200, headers: { 'content-type': contentType }, body };
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`, 'utf8');
}
