/** Did the page itself send this request? Another site can make a browser send one, with the cookie of a site on the same host. */

import type { IncomingMessage } from 'node:http';
import { headerOf } from './header-of.ts';

/** What a browser says of where a request comes from. Other sites cannot set these headers. */
export interface RequestOrigin {
  readonly method: string;
  readonly host: string;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, `-Mode` and `-Dest`; old browsers send none of them. */
  readonly site: string | undefined;
  readonly mode: string | undefined;
  readonly dest: string | undefined;
  /** A WebSocket handshake. Browsers send it across origins without asking. */
  readonly isUpgrade: boolean;
}

/** Reads it from the headers. */
export function originOf(request: IncomingMessage, isUpgrade: boolean): RequestOrigin {
  const { method = '' } = request;
  return {
    // A HEAD is to a browser what a GET is.
    method: method === 'HEAD' ? 'GET' : method,
    host: request.headers.host ?? '',
    origin: headerOf(request, 'origin'),
    site: headerOf(request, 'sec-fetch-site'),
    mode: headerOf(request, 'sec-fetch-mode'),
    dest: headerOf(request, 'sec-fetch-dest'),
    isUpgrade,
  };
}

/** Is it from the page, or typed into the address bar? What changes something must name its origin. */
export function isOwnRequest({ method, host, origin, site, isUpgrade }: RequestOrigin): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return false;
  const isRead = method === 'GET' && !isUpgrade;
  // `same-site` is not enough: every port of 127.0.0.1 is the same site.
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && isRead)) return false;
  return isRead || origin !== undefined;
}

/** Somebody has followed a link: not a frame, not a script of another site. */
export function isNavigation({ method, mode, dest, isUpgrade }: RequestOrigin): boolean {
  const isDocument = (mode ?? 'navigate') === 'navigate' && (dest ?? 'document') === 'document';
  return method === 'GET' && !isUpgrade && isDocument;
}
