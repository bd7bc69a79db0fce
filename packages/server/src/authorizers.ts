/** Webhooks that authorize: an own door, because it loads the Common Expression Language. Start at `ConfiguredAuthorization`. */

export { ReloadCounts, type ReloadedConfig, type ReloadStatus } from './access/reload-counts.ts';
export type {
  AuthorizationConfiguration,
  AuthorizerConfig,
  WebhookConfig,
} from './access/webhook/authorization-configuration.ts';
export { checkAuthorizationConfiguration } from './access/webhook/authorization-problems.ts';
export { parseAuthorizationConfiguration } from './access/webhook/authorization-shape.ts';
export {
  ConfiguredAuthorization,
  type ConfiguredAuthorizationParts,
  type WebhookConnection,
} from './access/webhook/configured-authorization.ts';
export { matchFilter } from './access/webhook/match-conditions.ts';
export type { ReviewResource, ReviewSpec, ReviewVersion } from './access/webhook/review-body.ts';
export {
  type ReviewFilter,
  WebhookAuthorizer,
  type WebhookAuthorizerOptions,
  type WebhookAuthorizerParts,
  type WebhookLimits,
} from './access/webhook/webhook-authorizer.ts';
export { WebhookCounts, type WebhookState } from './access/webhook/webhook-counts.ts';
