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
export { parseTokenFile } from './http/token-file.ts';
