/** Asks a webhook whether a user may do something, by a SubjectAccessReview. */

import { monotonicMs } from '@listwatch/api/internal';
import { durationText } from '@listwatch/api/values';
import type { Clock } from '@listwatch/storage';
import {
  type AccessAttributes,
  type AccessDecision,
  type AccessRules,
  type Authorizer,
  DenyingFailure,
} from '../../contract/authorization.ts';
import { EndpointError, JsonEndpoint, type JsonEndpointOptions } from '../authentication/json-endpoint.ts';
import { HashedCache } from '../hashed-cache.ts';
import { failureMessage, isRetried } from './call-failure.ts';
import { CallTurns } from './call-turns.ts';
import { type ReviewStatus, reviewStatus } from './review-answer.ts';
import { type ReviewSpec, type ReviewVersion, reviewBody, reviewSpec } from './review-body.ts';
import { type CallResult, WebhookCounts, type WebhookState } from './webhook-counts.ts';

/** Does the webhook want to be asked? Throws when that cannot be said. */
export type ReviewFilter = (spec: ReviewSpec) => boolean;

/** The webhook. Times are in milliseconds. */
export interface WebhookAuthorizerOptions extends Omit<JsonEndpointOptions, 'maxBytes' | 'maxSockets' | 'timeoutMs'> {
  /** For metrics and in errors. */
  readonly name: string;
  /** The version of authorization.k8s.io in requests. Default: `v1`. */
  readonly version?: ReviewVersion | undefined;
  /** How long one attempt may take, at most 30 s. Default: 30 s. */
  readonly timeoutMs?: number | undefined;
  /** How long a permission is kept. Default: 5 min. 0: not at all. */
  readonly authorizedTtlMs?: number | undefined;
  /** How long any other answer is kept. Default: 30 s. 0: not at all. */
  readonly unauthorizedTtlMs?: number | undefined;
  /** What a failure counts as. `Deny`: no other authorizer is asked. */
  readonly failurePolicy: 'Deny' | 'NoOpinion';
  /** Which requests it is asked about. Default: all. */
  readonly filter?: ReviewFilter | undefined;
}

/** What it needs. */
export interface WebhookAuthorizerParts {
  readonly clock: Clock;
  /** Default: its own, which nobody reads. */
  readonly counts?: WebhookCounts | undefined;
  /** Default: those of each. */
  readonly limits?: Partial<WebhookLimits> | undefined;
}

/** What a webhook may hold in memory. */
export interface WebhookLimits {
  /** Questions that are asked at one time, each for all requests that have it; others wait for their turn. Default: 400. */
  readonly calls: number;
  /**
   * Requests that wait for an answer. They hold no place among the requests in flight: without a bound they could fill the memory.
   * Default: 4000.
   */
  readonly waiting: number;
  /** Decisions that are kept. Default: 8192, as kube-apiserver. */
  readonly decisions: number;
}

const TIMEOUT_MAX_MS = 30_000;
const AUTHORIZED_TTL_MS = 300_000;
const UNAUTHORIZED_TTL_MS = 30_000;
/** As kube-apiserver: attempts, and the pauses between them, which are up to a fifth longer. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
const PAUSE_FACTOR = 1.5;
const PAUSE_JITTER = 0.2;
/** As kube-apiserver: a decision about more characters that a client sent is not kept. */
const CACHED_CHARACTERS_MAX = 10_000;
const ANSWER_MAX_BYTES = 1024 * 1024;
const LIMITS: WebhookLimits = { calls: 400, waiting: 4000, decisions: 8192 };

const UNLISTED: AccessRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  evaluationError: 'webhook authorizer does not support user rule resolution',
};

/** The authorizer of one webhook. */
export class WebhookAuthorizer implements Authorizer {
  readonly name: string;
  readonly #options: WebhookAuthorizerOptions;
  readonly #limits: WebhookLimits;
  readonly #turns: CallTurns;
  readonly #url: string;
  readonly #endpoint: JsonEndpoint;
  readonly #clock: Clock;
  readonly #counts: WebhookCounts;
  readonly #cache: HashedCache<ReviewStatus>;
  readonly #active = new Map<string, Promise<ReviewStatus>>();
  #waiting = 0;
  #refused = 0;
  #isRetired = false;

  /** Throws a `TypeError` for a URL that is none, a `RangeError` for a time that is out of its limits. */
  constructor(
    options: WebhookAuthorizerOptions,
    { clock, counts = new WebhookCounts(), limits }: WebhookAuthorizerParts,
  ) {
    const { url, name, timeoutMs = TIMEOUT_MAX_MS } = options;
    if (!/^https?:/u.test(url) || !URL.canParse(url)) {
      throw new TypeError(`webhook ${name}: url must be one of https or http, not ${JSON.stringify(url)}`);
    }
    if (!(timeoutMs > 0 && timeoutMs <= TIMEOUT_MAX_MS)) {
      throw new RangeError(
        `webhook ${name}: timeoutMs must be more than 0 and at most ${TIMEOUT_MAX_MS}, not ${timeoutMs}`,
      );
    }
    const target = new URL(url);
    target.searchParams.set('timeout', durationText(BigInt(Math.round(timeoutMs * 1e6))));
    this.name = name;
    this.#options = options;
    this.#url = target.href;
    this.#limits = { ...LIMITS, ...limits };
    this.#turns = new CallTurns(this.#limits.calls, clock);
    const bounds = { timeoutMs, maxBytes: ANSWER_MAX_BYTES, maxSockets: this.#limits.calls };
    this.#endpoint = new JsonEndpoint({ ...options, ...bounds, url: target.href }, clock);
    this.#clock = clock;
    this.#counts = counts;
    this.#cache = new HashedCache(clock, this.#limits.decisions);
  }

  get state(): WebhookState {
    return { cache: this.#cache.counts, waiting: this.#waiting, refused: this.#refused };
  }

  authorize(attributes: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const spec = reviewSpec(attributes);
    if (!this.#wants(spec)) return { allowed: false };
    const key = JSON.stringify(spec);
    const known = this.#cache.get(key);
    return known === undefined ? this.#asked(attributes, spec, key) : decisionOf(known);
  }

  rules(): AccessRules {
    return UNLISTED;
  }

  /** Ends its connections; requests that wait for it fail. */
  close(): void {
    this.#isRetired = true;
    this.#endpoint.close();
  }

  /** Lets requests that wait have their answer first. */
  retire(): void {
    this.#isRetired = true;
    if (this.#active.size === 0) this.#endpoint.close();
  }

  #wants(spec: ReviewSpec): boolean {
    const { filter, name } = this.#options;
    if (filter === undefined) return true;
    const started = monotonicMs(this.#clock);
    const seconds = (): number => (monotonicMs(this.#clock) - started) / 1000;
    try {
      const wants = filter(spec);
      this.#counts.matched(name, seconds(), wants ? 'matched' : 'excluded');
      return wants;
    } catch (error) {
      this.#counts.matched(name, seconds(), 'failed');
      throw this.#failure(error instanceof Error ? error.message : String(error), error);
    }
  }

  async #asked(attributes: AccessAttributes, spec: ReviewSpec, key: string): Promise<AccessDecision> {
    if (this.#waiting >= this.#limits.waiting) throw this.#tooMany();
    this.#waiting += 1;
    try {
      return decisionOf(await this.#shared(attributes, spec, key));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** One call for all requests that have the same question. */
  #shared(attributes: AccessAttributes, spec: ReviewSpec, key: string): Promise<ReviewStatus> {
    const active = this.#active.get(key);
    if (active !== undefined) return active;
    const asking = this.#inTurn(() => this.#review(spec))
      .then((status) => {
        this.#keep(attributes, key, status);
        return status;
      })
      .finally(() => {
        this.#active.delete(key);
        if (this.#isRetired) this.retire();
      });
    this.#active.set(key, asking);
    return asking;
  }

  /** A question waits as long for its turn as a call may take. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { timeoutMs = TIMEOUT_MAX_MS } = this.#options;
    if (!(await this.#turns.begin(timeoutMs))) throw this.#tooMany();
    try {
      return await work();
    } finally {
      this.#turns.end();
    }
  }

  #tooMany(): Error {
    this.#refused += 1;
    return this.#failure(`too many requests wait for the webhook ${this.name}`);
  }

  #keep(attributes: AccessAttributes, key: string, status: ReviewStatus): void {
    const { authorizedTtlMs = AUTHORIZED_TTL_MS, unauthorizedTtlMs = UNAUTHORIZED_TTL_MS } = this.#options;
    const { namespace, verb, group, version, resource, subresource, name, path } = attributes;
    const sent = [namespace, verb, group, version, resource, subresource, name, path];
    const characters = sent.reduce((sum, { length }) => sum + length, status.reason.length);
    if (characters < CACHED_CHARACTERS_MAX) {
      this.#cache.set(key, status, status.allowed ? authorizedTtlMs : unauthorizedTtlMs);
    }
  }

  async #review(spec: ReviewSpec): Promise<ReviewStatus> {
    const { name, version = 'v1', failurePolicy } = this.#options;
    const body = reviewBody(spec, version);
    let pause = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt += 1) {
      const started = monotonicMs(this.#clock);
      const told = (result: CallResult): void =>
        this.#counts.asked(name, result, (monotonicMs(this.#clock) - started) / 1000);
      try {
        const status = reviewStatus(await this.#endpoint.post(body));
        told('success');
        return status;
      } catch (error) {
        const result = resultOf(error);
        told(result);
        if (!isRetried(error) || attempt === ATTEMPTS) {
          if (failurePolicy === 'NoOpinion') this.#counts.failedOpen(name, result);
          throw this.#failure(failureMessage(error, this.#url), error);
        }
      }
      const jitter = 1 + Math.random() * PAUSE_JITTER;
      await new Promise<void>((resolve) => this.#clock.after(pause * jitter, resolve));
      pause *= PAUSE_FACTOR;
    }
  }

  #failure(message: string, cause?: unknown): Error {
    return this.#options.failurePolicy === 'Deny'
      ? new DenyingFailure(message, { cause })
      : new Error(message, { cause });
  }
}

function resultOf(error: unknown): CallResult {
  const isTimeout = error instanceof EndpointError && (error.isTimeout || error.answer?.status === 504);
  return isTimeout ? 'timeout' : 'error';
}

function decisionOf({ allowed, denied, reason }: ReviewStatus): AccessDecision {
  const shown = reason === '' ? {} : { reason };
  if (allowed && denied) {
    throw new DenyingFailure('webhook subject access review returned both allow and deny response', shown);
  }
  if (denied) return { allowed: false, denied: true, ...shown };
  return { allowed, ...shown };
}
