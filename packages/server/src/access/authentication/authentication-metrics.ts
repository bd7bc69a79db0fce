/** The metrics of tokens that others are asked about: OIDC providers and a webhook. */

import { BucketHistogram } from '../../contract/bucket-histogram.ts';
import { Counter, Gauge, type Registry } from '../../contract/metrics.ts';
import type { HashedCacheCounts } from '../hashed-cache.ts';
import type { VerificationTimes } from '../jwt/verification-times.ts';
import { ReloadCounts } from '../reload-counts.ts';
import type { TokenWebhookAuthenticator } from './token-webhook-authenticator.ts';

/** What is counted of JWT authenticators. */
export interface TokenSources {
  readonly cacheCounts: HashedCacheCounts;
  /** Attempts to fetch the keys of providers. */
  readonly fetches: { readonly success: number; readonly failure: number };
  /** Default: they are not counted. */
  readonly verifications?: Pick<VerificationTimes, 'count' | 'series'> | undefined;
  /** Default: the configuration does not change. */
  readonly reloadCounts?: ReloadCounts | undefined;
}

/** Registers them; a source that there is none of counts nothing. */
export function registerTokenMetrics(
  registry: Registry,
  { jwt, webhook }: { jwt: TokenSources | undefined; webhook: Pick<TokenWebhookAuthenticator, 'counts'> | undefined },
): void {
  const caches = (): readonly HashedCacheCounts[] =>
    [jwt?.cacheCounts, webhook?.counts].filter((counts) => counts !== undefined);
  const total = (read: (counts: HashedCacheCounts) => number): number =>
    caches().reduce((sum, counts) => sum + read(counts), 0);
  const requests = new Counter({
    name: 'authentication_token_cache_request_total',
    help: 'Tokens that were looked up in the caches of providers and of the webhook.',
    labelNames: ['status'],
    registers: [],
    collect() {
      this.reset();
      this.inc(
        { status: 'hit' },
        total(({ hits }) => hits),
      );
      this.inc(
        { status: 'miss' },
        total(({ misses }) => misses),
      );
    },
  });
  const entries = new Gauge({
    name: 'listwatch_token_cache_entries',
    help: 'Tokens in these caches.',
    registers: [],
    collect() {
      this.set(total(({ size }) => size));
    },
  });
  const webhookRequests = new Counter({
    name: 'listwatch_token_webhook_requests_total',
    help: 'Requests to the token webhook, with retries.',
    registers: [],
    collect() {
      this.reset();
      this.inc(webhook?.counts.fetches ?? 0);
    },
  });
  const active = new Gauge({
    name: 'authentication_token_cache_active_fetch_count',
    help: 'Tokens that the webhook is being asked about.',
    labelNames: ['status'],
    registers: [],
    collect() {
      this.set({ status: 'in_flight' }, webhook?.counts.active ?? 0);
    },
  });
  const fetches = new Counter({
    name: 'authentication_token_cache_fetch_total',
    help: 'Tokens that were in no cache, by the result of their authentication.',
    labelNames: ['status'],
    registers: [],
    collect() {
      this.reset();
      const { answered, failed } = webhook?.counts ?? { answered: 0, failed: 0 };
      this.inc({ status: 'ok' }, answered + (jwt?.verifications?.count('success') ?? 0));
      this.inc({ status: 'error' }, failed + (jwt?.verifications?.count('failure') ?? 0));
    },
  });
  const keys = new Counter({
    name: 'listwatch_jwt_key_fetches_total',
    help: 'Attempts to fetch the keys of OIDC providers.',
    labelNames: ['result'],
    registers: [],
    collect() {
      this.reset();
      this.inc({ result: 'success' }, jwt?.fetches.success ?? 0);
      this.inc({ result: 'failure' }, jwt?.fetches.failure ?? 0);
    },
  });
  registry.registerMetric(requests);
  registry.registerMetric(fetches);
  registry.registerMetric(keys);
  registry.registerMetric(
    new BucketHistogram(
      'apiserver_authentication_jwt_authenticator_latency_seconds',
      'Time that tokens of OIDC providers took which were in no cache.',
      () => jwt?.verifications?.series ?? [],
    ),
  );
  ReloadCounts.register(registry, 'authentication', jwt?.reloadCounts);
  for (const metric of [entries, webhookRequests, active]) registry.registerMetric(metric);
}
