/** The user of a request: who sent it, and who it acts as. */

import { type Authenticator, authenticated, bearerToken, type Credentials } from '../access/authenticator.ts';
import { accessAttributes, decodedPath } from '../access/authorizer.ts';
import { readImpersonation } from '../access/impersonation-headers.ts';
import type { Impersonator } from '../access/impersonator.ts';
import { websocketToken } from '../access/websocket-token.ts';
import type { UserInfo } from '../contract/api-request.ts';
import type { IncomingRequest } from '../contract/incoming-request.ts';
import type { Route } from '../contract/route.ts';

/** A request as authentication sees it. */
export interface UserRequest {
  readonly incoming: IncomingRequest;
  readonly route: Route;
}

/** What a request brings to say who sent it. */
export function shownCredentials({ incoming, route }: UserRequest): Credentials {
  const token =
    bearerToken(incoming.header('authorization')) ??
    (incoming.protocol === 'websocket' ? websocketToken(incoming.header('sec-websocket-protocol')) : undefined);
  const { rawHeaders } = incoming;
  return { token, certificate: incoming.certificate(), rawHeaders, path: decodedPath(route.rawPath) };
}

/** The user that sent the request. Throws the 401 `StatusError`. */
export async function authenticatedUser(authenticator: Authenticator, request: UserRequest): Promise<UserInfo> {
  const { incoming } = request;
  if (incoming.user !== undefined) return authenticated(incoming.user);
  const user = await authenticator.authenticate(shownCredentials(request));
  if (user === undefined) throw new TypeError('the authenticator returned no user and did not throw');
  return user;
}

/** The user that the request acts as. Throws the 403 `StatusError`. `onImpersonated` hears of another user than the requestor, and by which mode. */
export async function actingUser(
  impersonator: Impersonator,
  { incoming, route }: UserRequest,
  requestor: UserInfo,
  onImpersonated: (user: UserInfo, constraint: string) => void = () => {},
): Promise<UserInfo> {
  const wanted = readImpersonation(incoming.rawHeaders);
  if (wanted === undefined) return requestor;
  let constraint = '';
  const acting = await impersonator.impersonate(accessAttributes(route, requestor), wanted, (mode) => {
    constraint = mode;
  });
  onImpersonated(acting, constraint);
  return acting;
}
