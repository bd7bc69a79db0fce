/** `/healthz`, `/livez` and `/readyz`: named checks and how they are answered. */
import { quote } from '@listwatch/api';
import type { HealthFact } from '@listwatch/api/console';
import { notFoundPage, textResponse } from '../answer/text-response.ts';
import type { BytesResponse } from '../contract/api-response.ts';
import type { Route } from '../contract/route.ts';

/** The health endpoints. */
export const HEALTH_ENDPOINTS = ['healthz', 'livez', 'readyz'] as const;

/** One of the health endpoints. */
export type HealthEndpoint = (typeof HEALTH_ENDPOINTS)[number];

/** One named check. */
export interface HealthCheck {
  /** A path segment: it is also asked for as `/readyz/{name}`. */
  readonly name: string;
  /** Throws or rejects when the check fails. Must be quick. */
  readonly check: () => void | Promise<void>;
  /** Everybody may read why it fails; otherwise only those who may ask for the check itself. Default: false. */
  readonly isPublic?: boolean | undefined;
  /** Added to its line when it is well; undefined: nothing. Everybody may read it. */
  readonly note?: (() => string | undefined) | undefined;
  /** The endpoints that include it. Default: all three. */
  readonly endpoints?: readonly HealthEndpoint[] | undefined;
}

const PING: HealthCheck = { name: 'ping', check: () => {} };

/** The checks of a server, in the order in which they were added. */
export class Health {
  readonly #checks: HealthCheck[] = [PING];

  /** Adds a check; the function takes it away. Throws a `TypeError` when its name is taken. */
  add(check: HealthCheck): () => void {
    if (!/^[\w.-]+$/u.test(check.name))
      throw new TypeError(`the health check name ${quote(check.name)} is not a path segment`);
    if (this.#checks.some(({ name }) => name === check.name)) {
      throw new TypeError(`a health check named ${quote(check.name)} exists already`);
    }
    this.#checks.push(check);
    return () => {
      const at = this.#checks.indexOf(check);
      if (at >= 0) this.#checks.splice(at, 1);
    };
  }

  /** The checks of an endpoint one by one, with reasons that not everybody may read. */
  async facts(endpoint: HealthEndpoint): Promise<readonly HealthFact[]> {
    const checks = this.#checks.filter(({ endpoints = HEALTH_ENDPOINTS }) => endpoints.includes(endpoint));
    return Promise.all(
      checks.map(async (check) => {
        const failure = await failureOf(check);
        const message = failure ?? check.note?.();
        return { name: check.name, ok: failure === undefined, ...(message === undefined ? {} : { message }) };
      }),
    );
  }

  /** Answers `/{endpoint}` and `/{endpoint}/{name}`. */
  async answer(endpoint: HealthEndpoint, name: string, { query }: Route): Promise<BytesResponse> {
    const checks = this.#checks.filter(({ endpoints = HEALTH_ENDPOINTS }) => endpoints.includes(endpoint));
    if (name !== '') {
      const check = checks.find((candidate) => candidate.name === name);
      return check === undefined ? notFoundPage() : answerOne(check);
    }
    return answerAll(endpoint, checks, { excluded: query.get('exclude') ?? [], verbose: query.has('verbose') });
  }
}

async function answerOne(check: HealthCheck): Promise<BytesResponse> {
  const failure = await failureOf(check);
  return failure === undefined ? textResponse(200, 'ok') : textResponse(500, `internal server error: ${failure}\n`);
}

async function answerAll(
  endpoint: HealthEndpoint,
  checks: readonly HealthCheck[],
  { excluded, verbose }: { readonly excluded: readonly string[]; readonly verbose: boolean },
): Promise<BytesResponse> {
  let healthy = true;
  let lines = '';
  for (const check of checks) {
    if (excluded.includes(check.name)) {
      lines += `[+]${check.name} excluded: ok\n`;
      continue;
    }
    const failure = await failureOf(check);
    const note = check.note?.();
    if (failure === undefined) lines += `[+]${check.name} ok${note === undefined ? '' : `: ${note}`}\n`;
    else {
      healthy = false;
      // Anybody may read this page; other reasons are on the page of the check, which needs authorization.
      lines += `[-]${check.name} failed: ${check.isPublic === true ? failure : 'reason withheld'}\n`;
    }
  }
  const unknown = [...new Set(excluded)].filter((name) => !checks.some((check) => check.name === name)).toSorted();
  if (unknown.length > 0) {
    const names = unknown.map((name) => quote(name)).join(',');
    lines += `warn: some health checks cannot be excluded: no matches for ${names}\n`;
  }
  if (!healthy) return textResponse(500, `${lines}${endpoint} check failed\n`);
  return textResponse(200, verbose ? `${lines}${endpoint} check passed\n` : 'ok');
}

async function failureOf(check: HealthCheck): Promise<string | undefined> {
  try {
    await check.check();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
