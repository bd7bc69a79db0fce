/** An embeddable API server that lists and watches as kube-apiserver does. Start at `createApiServer`. */

export type { ApiServer, ApiServerOptions } from './api-server-options.ts';
export { createApiServer } from './create-api-server.ts';
export {
  type Authenticator,
  certificateAuthenticator,
  firstAuthenticator,
  tokenAuthenticator,
} from './http/authenticator.ts';
export type { Authorizer } from './http/authorizer.ts';
export { mastersAuthorizer } from './http/authorizer.ts';
export type { UserInfo } from './http/exchange.ts';
export type { LoopbackOptions, LoopbackRequest, LoopbackResponse } from './http/loopback.ts';
export { LoopbackError, type LoopbackErrorCode } from './http/loopback-error.ts';
export { parseTokenFile } from './http/token-file.ts';
