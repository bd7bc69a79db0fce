/** An embeddable API server that lists and watches as kube-apiserver does. Start at `createApiServer`. */

export type {
  AuditBatchOptions,
  AuditLogOptions,
  AuditMode,
  AuditOptions,
  AuditTruncateOptions,
  AuditWebhookOptions,
  AuditWebhookTarget,
} from './access/audit/audit-options.ts';
export { type AuditPolicy, AuditPolicyError, readAuditPolicy } from './access/audit/audit-policy.ts';
export type { AnonymousAccess } from './access/authentication/authenticator-chain.ts';
export { certificateAuthenticator } from './access/authentication/certificate-authenticator.ts';
export type { AuthenticationOptions } from './access/authentication/create-authentication.ts';
export type { RequestHeaderOptions } from './access/authentication/front-proxy-authenticator.ts';
export type { TokenWebhookOptions } from './access/authentication/token-webhook-authenticator.ts';
export { type Authenticator, firstAuthenticator, tokenAuthenticator } from './access/authenticator.ts';
export type {
  AuthorizationMode,
  AuthorizationModes,
  AuthorizationSource,
  AuthorizationStep,
  NamedAuthorizer,
} from './access/authorization-mode.ts';
export { mastersAuthorizer } from './access/authorizer.ts';
export type { ServiceAccountOptions } from './access/service-account-tokens.ts';
export { parseTokenFile } from './access/static-tokens.ts';
export { checkServiceAccountKeys } from './access/token-keys.ts';
export type { AggregationOptions, FrontProxyPair } from './aggregate/aggregation-options.ts';
export type { CacheLimits } from './cache/cache-budgets.ts';
export type { OwnedResources } from './cache/owned-kinds.ts';
export type { UserInfo } from './contract/api-request.ts';
export type { AccessRules, Authorizer, NonResourceRule, ResourceRule } from './contract/authorization.ts';
export type { InProcessAnswer, InProcessWebhooks } from './contract/in-process-webhooks.ts';
export type { KubeletOptions } from './forward/forward-options.ts';
export {
  type CertificateRequest,
  type CertificateUse,
  issueCertificate,
  type Subject as CertificateSubject,
} from './pki/certificate.ts';
export type { ApiServer, ApiServerOptions } from './start/api-server-options.ts';
export { createApiServer } from './start/create-api-server.ts';
export type { LoopbackOptions, LoopbackRequest, LoopbackResponse } from './wire/loopback/loopback.ts';
export { LoopbackError, type LoopbackErrorCode } from './wire/loopback/loopback-error.ts';
export type { NodeRequest, NodeResponse } from './wire/mounted-reply.ts';
export type { RequestListener, RequestListenerOptions } from './wire/request-listener.ts';
