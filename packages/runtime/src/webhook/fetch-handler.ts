/** Webhooks as a function of `Request` to `Response`, for servers that are not ours. */

import { GatheredBytes } from '@listwatch/api/internal';
import { type CallAnswer, isCallAnswer, type OpenCall, type WebhookCalls } from './webhook-calls.ts';

/** Never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

export function fetchHandler(calls: () => WebhookCalls): FetchHandler {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const length = request.headers.get('content-length');
    const opened = calls().open({
      method: request.method,
      url: `${pathname}${search}`,
      contentType: request.headers.get('content-type') ?? undefined,
      contentLength: length === null ? undefined : Number(length),
    });
    return responseOf(isCallAnswer(opened) ? opened : await answerOpen(opened, request));
  };
}

async function answerOpen(call: OpenCall, request: Request): Promise<CallAnswer> {
  const bytes = new GatheredBytes();
  const reader = request.body?.getReader();
  try {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done || value === undefined) break;
      const refusal = call.grow(value.length);
      if (refusal !== undefined) {
        await reader?.cancel().catch(() => {});
        return refusal;
      }
      bytes.add(value);
    }
  } catch {
    call.abandon();
    return { status: 400, headers: {}, body: 'the body did not come\n' };
  }
  return call.answer(bytes.whole(), request.signal);
}

function responseOf({ status, headers, body }: CallAnswer): Response {
  return new Response(body, { status, headers: { ...headers } });
}
