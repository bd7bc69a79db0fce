/** The answers of the door itself, and the headers of all answers. */

import type { ServerResponse } from 'node:http';
import type { StatusError } from '@listwatch/api';
import { PAGE_HEADERS } from '@listwatch/console';

/** Nobody else may embed, read or keep an answer. */
const SHARED: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** Of what is no page. An object that is opened as a page of its own can run nothing. */
export const DATA_HEADERS: Readonly<Record<string, string>> = {
  ...SHARED,
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

/** Of the files of the page. */
export const FILE_HEADERS: Readonly<Record<string, string>> = { ...SHARED, ...PAGE_HEADERS };

/** Sends a whole answer. A HEAD gets its head. */
export function sendBytes(
  response: ServerResponse,
  {
    status,
    headers,
    body,
  }: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...headers, 'content-length': String(body.length) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** Refuses with a Status. The connection ends with it: a body that nobody reads may still be on its way. */
export function sendFailure(response: ServerResponse, error: StatusError): void {
  const retry = error.retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfterMs / 1000)) };
  const headers = { ...DATA_HEADERS, ...retry, 'content-type': 'application/json', connection: 'close' };
  sendBytes(response, { status: error.httpCode, headers, body: Buffer.from(JSON.stringify(error.status)) });
}

/** Refuses a link. It says nothing of the code. */
export function sendLoginRefusal(response: ServerResponse, isLimited: boolean): void {
  const text = isLimited
    ? 'Too many wrong links were opened. Wait a minute.'
    : 'This link was used already, or it has expired. Ask the command for a new one.';
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>listwatch console</title><p>${text}</p><p><a href="/console/">Open the console</a>, if this browser is logged in.</p></html>`;
  const headers = {
    ...DATA_HEADERS,
    'content-type': 'text/html; charset=utf-8',
    ...(isLimited ? { 'retry-after': '60' } : {}),
  };
  sendBytes(response, { status: isLimited ? 429 : 401, headers, body: Buffer.from(page) });
}
