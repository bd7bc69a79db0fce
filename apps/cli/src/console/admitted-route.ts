/** Checks where a request comes from, before anything else is read of it. */

import type { IncomingMessage } from 'node:http';
import { refused } from './door-refusal.ts';
import { type DoorRoute, doorRoute } from './door-route.ts';
import { isNavigation, isOwnRequest, originOf } from './own-origin.ts';
import { type DoorAddress, isTrustedHost } from './trusted-host.ts';

/** What the request asks for. Throws the `StatusError` of one that another site has sent, or that names another host. */
export function admittedRoute(request: IncomingMessage, address: DoorAddress, isUpgrade: boolean): DoorRoute {
  if (!isTrustedHost(request.headers.host, address))
    throw refused(403, 'this address is not the address of the console');
  const route = doorRoute(request.url ?? '');
  const origin = originOf(request, isUpgrade);
  if (!(isLink(route) && isNavigation(origin)) && !isOwnRequest(origin))
    throw refused(403, 'only the page of the console may send this request');
  return route;
}

/** May a link on another site lead here? */
function isLink(route: DoorRoute): boolean {
  return route.type === 'root' || route.type === 'login' || (route.type === 'asset' && route.path === '/console/');
}
