/** The webhooks of a program. Start at {@link webhooks}. */

import type { ApiObject } from '@listwatch/api';
import { type FetchHandler, fetchHandler } from './fetch-handler.ts';
import { type MutateHookOptions, resolveHookOptions, type ValidateHookOptions } from './hook-options.ts';
import { type HookedKind, resourceOf } from './hooked-kind.ts';
import { type AdmissionHook, mutateHook, validateHook } from './review/admission-hook.ts';
import type { AdmissionOperation, MutateHandler, ValidateHandler, WriteOperation } from './review/admission-request.ts';
import { type ConversionSteps, KindConversion, type VersionKinds } from './review/conversion.ts';
import { type RegisteredHooks, WebhookCalls } from './webhook-calls.ts';
import { noObserver } from './webhook-observer.ts';
import {
  consoleLogger,
  defaultClock,
  resolveWebhooksOptions,
  type WebhooksConfig,
  type WebhooksOptions,
} from './webhook-options.ts';

/** Webhooks, and the handler that answers for them. */
export interface Webhooks {
  /**
   * Adds a validating webhook. Return `deny(...)`, `warn(...)`, both in a list, or nothing. What the handler throws denies the
   * request.
   *
   * @example
   * hooks.validate(backup, ({ object, old }) => {
   *   if (old !== undefined && old.spec.bucket !== object.spec.bucket) return deny('spec.bucket cannot be changed');
   * });
   */
  validate<T extends ApiObject>(kind: HookedKind<T>, handler: ValidateHandler<T>): Webhooks;
  validate<T extends ApiObject, const O extends AdmissionOperation = WriteOperation>(
    kind: HookedKind<T>,
    options: ValidateHookOptions<O>,
    handler: ValidateHandler<T, O>,
  ): Webhooks;
  /**
   * Adds a mutating webhook: change the draft. Only what differs is sent back, so fields that the type does not know stay.
   *
   * @example
   * hooks.mutate(backup, (draft) => {
   *   draft.spec.retention ??= 7;
   * });
   */
  mutate<T extends ApiObject>(kind: HookedKind<T>, handler: MutateHandler<T>): Webhooks;
  mutate<T extends ApiObject, const O extends Exclude<AdmissionOperation, 'DELETE'> = WriteOperation>(
    kind: HookedKind<T>,
    options: MutateHookOptions<O>,
    handler: MutateHandler<T, O>,
  ): Webhooks;
  /**
   * Converts between the versions of a kind. Each pair needs a way, not a step: a hub is enough. Throws a TypeError for a pair
   * without one.
   *
   * @example
   * hooks.convert({ v1alpha1: oldBackup, v1: backup }, {
   *   v1alpha1: { v1: ({ spec: { keep, ...spec } }) => ({ spec: { ...spec, retention: keep } }) },
   *   v1: { v1alpha1: ({ spec: { retention, ...spec } }) => ({ spec: { ...spec, keep: retention } }) },
   * });
   */
  convert<K extends VersionKinds>(versions: K, steps: ConversionSteps<K>): Webhooks;
  /** Answers a call, for Hono, Deno, Bun, or a serverless function. Never rejects. */
  readonly handle: FetchHandler;
}

/** What siblings read of a set. */
export interface WebhookSet extends Webhooks {
  readonly registered: RegisteredHooks;
  readonly config: WebhooksConfig;
  /** The calls of servers that are not ours: they share their bounds. */
  readonly calls: WebhookCalls;
}

/**
 * Makes an empty set of webhooks. Serve it with `handle`, or with `serveWebhooks` of a manager.
 *
 * @throws TypeError, RangeError for options that are wrong
 */
export function webhooks(options: WebhooksOptions = {}): Webhooks {
  return new PlainWebhooks(resolveWebhooksOptions(options));
}

/** Throws a TypeError for what `webhooks` did not make. */
export function webhookSetOf(hooks: Webhooks): WebhookSet {
  if (typeof hooks === 'object' && hooks !== null && 'registered' in hooks && 'config' in hooks) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just seen; not `instanceof`, for programs with two copies of this package
    return hooks as WebhookSet;
  }
  throw new TypeError('expected what webhooks() makes');
}

class PlainWebhooks implements WebhookSet {
  readonly config: WebhooksConfig;
  readonly handle: FetchHandler;
  readonly #admission = new Map<string, AdmissionHook>();
  readonly #conversions = new Map<string, KindConversion>();
  #calls: WebhookCalls | undefined;

  constructor(config: WebhooksConfig) {
    this.config = config;
    this.handle = fetchHandler(() => this.calls);
  }

  get calls(): WebhookCalls {
    const { logger = consoleLogger, clock = defaultClock } = this.config;
    this.#calls ??= new WebhookCalls(this.registered, this.config, { logger, clock, observer: noObserver });
    return this.#calls;
  }

  get registered(): RegisteredHooks {
    return { admission: this.#admission, conversions: this.#conversions };
  }

  validate<T extends ApiObject, O extends AdmissionOperation>(
    kind: HookedKind<T>,
    ...rest: [ValidateHandler<T>] | [ValidateHookOptions<O>, ValidateHandler<T, O>]
  ): Webhooks {
    if (rest.length === 1)
      return this.#add(validateHook(resourceOf(kind), resolveHookOptions('validate', {}), rest[0]));
    const [options, handler] = rest;
    return this.#add(validateHook(resourceOf(kind), resolveHookOptions('validate', options), checked(handler)));
  }

  mutate<T extends ApiObject, O extends Exclude<AdmissionOperation, 'DELETE'>>(
    kind: HookedKind<T>,
    ...rest: [MutateHandler<T>] | [MutateHookOptions<O>, MutateHandler<T, O>]
  ): Webhooks {
    if (rest.length === 1) return this.#add(mutateHook(resourceOf(kind), resolveHookOptions('mutate', {}), rest[0]));
    const [options, handler] = rest;
    return this.#add(mutateHook(resourceOf(kind), resolveHookOptions('mutate', options), checked(handler)));
  }

  convert<K extends VersionKinds>(versions: K, steps: ConversionSteps<K>): Webhooks {
    const conversion = new KindConversion(versions, steps);
    const { group, kind } = conversion.resource;
    const key = `${group}/${kind}`;
    if (this.#conversions.has(key)) throw new TypeError(`${kind}.${group} already has a conversion`);
    this.#conversions.set(key, conversion);
    return this;
  }

  #add(hook: AdmissionHook): Webhooks {
    if (this.#admission.has(hook.path))
      throw new TypeError(`there already is a webhook ${hook.name}: give one of them the option name`);
    this.#admission.set(hook.path, hook);
    return this;
  }
}

function checked<F>(handler: F): F {
  if (typeof handler === 'function') return handler;
  throw new TypeError('the handler of a webhook must be a function');
}
