/** Answers in plain text, for the doors of the server that are no API. */

import { quote } from '@listwatch/api';
import { escapeHtml } from '@listwatch/api/internal';
import type { BytesResponse } from '../contract/api-response.ts';

/** An answer in plain text. */
export function textResponse(status: number, text: string): BytesResponse {
  return {
    type: 'bytes',
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(text, 'utf8'),
  };
}

/** The 500 of a request that could not be authorized or recorded, word for word as Kubernetes has it. It repeats what the client sent. */
export function failedRequestPage(target: string, reason: string): BytesResponse {
  return textResponse(500, `${escapeHtml(`Internal Server Error: ${quote(target)}: ${reason}`)}\n`);
}

/** The 404 of a path that leads nowhere, word for word as Kubernetes has it. */
export function notFoundPage(): BytesResponse {
  return textResponse(404, '404 page not found\n');
}
