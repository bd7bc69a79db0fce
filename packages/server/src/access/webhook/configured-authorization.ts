/** The authorizers of an `AuthorizationConfiguration`, which can change while the server serves. */

import { parseDuration } from '@listwatch/api/values';
import type { Clock } from '@listwatch/storage';
import type { JsonEndpointOptions } from '../authentication/json-endpoint.ts';
import type { AuthorizationMode, AuthorizationSource, AuthorizationStep } from '../authorization-mode.ts';
import type { ReloadCounts } from '../reload-counts.ts';
import type { AuthorizationConfiguration, AuthorizerConfig, WebhookConfig } from './authorization-configuration.ts';
import { checkAuthorizationConfiguration } from './authorization-problems.ts';
import { matchFilter } from './match-conditions.ts';
import { WebhookAuthorizer } from './webhook-authorizer.ts';
import { WebhookCounts } from './webhook-counts.ts';

/** How a webhook is reached: what a kubeconfig says. */
export type WebhookConnection = Pick<JsonEndpointOptions, 'ca' | 'cert' | 'key' | 'serverName' | 'token' | 'url'>;

/** What it needs. */
export interface ConfiguredAuthorizationParts {
  /** Reads the kubeconfig of a webhook. */
  readonly connect: (kubeConfigFile: string) => Promise<WebhookConnection>;
  readonly clock: Clock;
  /** Default: changes are not counted. */
  readonly reloads?: ReloadCounts | undefined;
}

interface Generation {
  readonly steps: readonly AuthorizationStep[];
  readonly webhooks: readonly WebhookAuthorizer[];
}

const MODES: readonly AuthorizationMode[] = ['AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC'];
/** As kube-apiserver: those that need what only a start makes. */
const STARTED_TYPES: ReadonlySet<string> = new Set(['Node', 'RBAC']);
const AUTHORIZED_TTL = '5m';
const UNAUTHORIZED_TTL = '30s';

/** Give it to `createApiServer` as `authorization`. The server does not close it. */
export class ConfiguredAuthorization implements AuthorizationSource {
  readonly webhookCounts: WebhookCounts = new WebhookCounts();
  readonly reloadCounts: ReloadCounts | undefined;
  readonly #parts: ConfiguredAuthorizationParts;
  readonly #startTypes: ReadonlySet<string>;
  readonly #listeners = new Set<() => void>();
  #current: Generation;
  #text = '';

  /** Throws a `TypeError` for a configuration that is wrong, and what `connect` throws. */
  static async create(
    configuration: AuthorizationConfiguration,
    parts: ConfiguredAuthorizationParts,
  ): Promise<ConfiguredAuthorization> {
    checkAuthorizationConfiguration(configuration);
    const made = new ConfiguredAuthorization(configuration, parts);
    await made.#use(configuration);
    return made;
  }

  private constructor({ authorizers }: AuthorizationConfiguration, parts: ConfiguredAuthorizationParts) {
    this.#parts = parts;
    this.reloadCounts = parts.reloads;
    this.#startTypes = new Set(authorizers.map(({ type }) => type).filter((type) => type !== 'Webhook'));
    this.#current = { steps: [], webhooks: [] };
  }

  get steps(): readonly AuthorizationStep[] {
    return this.#current.steps;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Changes the configuration. The old one stays when this rejects. Decisions that webhooks made are forgotten. Resolves with false
   * when nothing is different.
   */
  async replace(configuration: AuthorizationConfiguration): Promise<boolean> {
    checkAuthorizationConfiguration(configuration);
    const types = new Set(configuration.authorizers.map(({ type }) => type));
    const missing = [...this.#startTypes].filter((type) => !types.has(type)).toSorted();
    if (missing.length > 0) throw new TypeError(`missing required types: [${missing.join(' ')}]`);
    const added = [...types].find((type) => STARTED_TYPES.has(type) && !this.#startTypes.has(type));
    if (added !== undefined) {
      throw new TypeError(`authorizer type ${added} is not allowed if it was not enabled at initial server startup`);
    }
    if (JSON.stringify(configuration) === this.#text) return false;
    await this.#use(configuration);
    return true;
  }

  /** Ends the connections to webhooks. */
  close(): void {
    for (const webhook of this.#current.webhooks) webhook.close();
  }

  async #use(configuration: AuthorizationConfiguration): Promise<void> {
    const { authorizers } = configuration;
    const steps = await Promise.all(authorizers.map((one) => this.#step(one)));
    const webhooks = steps.flatMap((step) =>
      typeof step !== 'string' && step.authorizer instanceof WebhookAuthorizer ? [step.authorizer] : [],
    );
    const before = this.#current;
    this.#current = { steps, webhooks };
    this.#text = JSON.stringify(configuration);
    this.webhookCounts.show(new Map(webhooks.map((webhook) => [webhook.name, () => webhook.state])));
    for (const webhook of before.webhooks) webhook.retire();
    for (const listener of this.#listeners) listener();
  }

  async #step({ type, name, webhook }: AuthorizerConfig): Promise<AuthorizationStep> {
    const mode = MODES.find((one) => one === type);
    if (mode !== undefined) return mode;
    if (webhook === undefined) throw new TypeError(`authorizer ${name}: there is no webhook`);
    const connection = await this.#parts.connect(webhook.connectionInfo?.kubeConfigFile ?? '');
    const options = { ...connection, name, ...webhookOptions(webhook) };
    const { clock } = this.#parts;
    return { type, name, authorizer: new WebhookAuthorizer(options, { clock, counts: this.webhookCounts }) };
  }
}

function webhookOptions(
  webhook: WebhookConfig,
): Omit<ConstructorParameters<typeof WebhookAuthorizer>[0], 'name' | 'url'> {
  const { timeout = '', authorizedTTL = '', unauthorizedTTL = '', matchConditions = [] } = webhook;
  const { cacheAuthorizedRequests = true, cacheUnauthorizedRequests = true } = webhook;
  const conditions = matchConditions.map(({ expression = '' }) => expression);
  return {
    version: webhook.subjectAccessReviewVersion === 'v1beta1' ? 'v1beta1' : 'v1',
    timeoutMs: milliseconds(timeout, ''),
    authorizedTtlMs: cacheAuthorizedRequests ? milliseconds(authorizedTTL, AUTHORIZED_TTL) : 0,
    unauthorizedTtlMs: cacheUnauthorizedRequests ? milliseconds(unauthorizedTTL, UNAUTHORIZED_TTL) : 0,
    failurePolicy: webhook.failurePolicy === 'Deny' ? 'Deny' : 'NoOpinion',
    filter: conditions.length === 0 ? undefined : matchFilter(conditions),
  };
}

/** No time, and a time of zero, is the default. */
function milliseconds(text: string, fallback: string): number {
  const nanos = text === '' ? 0n : parseDuration(text);
  return Number(nanos === 0n ? parseDuration(fallback) : nanos) / 1e6;
}
