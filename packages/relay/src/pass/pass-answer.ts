/** The answer of the upstream on its way to the client. */

import type { IncomingMessage } from 'node:http';
import type { Clock } from '@listwatch/api';
import {
  type HttpAnswer,
  headerPairs,
  type IncomingRequest,
  type InterimAnswer,
  type PassedAnswer,
  type PassedHead,
  type Reply,
} from '@listwatch/server/internal';
import { copyBody } from './copy-body.ts';
import { isWatchTarget } from './is-watch-target.ts';
import type { PassPlaces } from './pass-places.ts';
import { passedAnswerHeaders } from './passed-headers.ts';

/** More interim answers than any server sends; each costs the client's connection bytes that nothing holds back. */
const MAX_INTERIM = 16;

export interface AnswerParts {
  readonly clock: Clock;
  readonly places: PassPlaces;
  readonly stallTimeoutMs: number;
}

/** Resolves when the answer has ended, for the client or before. Never rejects: what breaks here cuts the answer. */
export function passAnswer(
  { clock, places, stallTimeoutMs }: AnswerParts,
  incoming: IncomingRequest,
  reply: Reply,
  { message, sent }: HttpAnswer,
): Promise<void> {
  return new Promise((resolve) => {
    const cut = (): void => {
      if (!reply.closed) {
        places.failed += 1;
        reply.cut();
      }
      message.destroy();
    };
    message.on('error', () => {
      if (reply.closed || answer === undefined || !mayEndAnywhere(incoming, message)) return cut();
      places.failed += 1;
      answer.body.end();
    });
    reply.onClose(() => {
      if (!message.readableEnded) message.destroy();
      if (!sent.writableFinished) sent.destroy();
      resolve();
    });
    let answer: PassedAnswer | undefined;
    try {
      answer = begin(reply, message);
    } catch {
      // A head that our side of the connection cannot say.
      return cut();
    }
    const { body } = answer;
    copyBody(message, body, {
      clock,
      stallMs: stallTimeoutMs,
      onStall: cut,
      onBytes: (bytes) => {
        places.bytesDown += bytes;
      },
    });
    message.once('end', () => {
      if (message.rawTrailers.length > 0) answer.addTrailers(message.rawTrailers);
      if (!body.destroyed && !body.writableEnded) body.end();
      // The upstream has answered without having read everything: its connection cannot be used again.
      if (!sent.writableFinished) sent.destroy();
      if (!incoming.body.readableEnded) incoming.body.resume();
    });
  });
}

/** Passes interim answers on while there are few. The 100 and the 101 are about our own connection. */
export function interimPasser(reply: Reply): (interim: InterimAnswer) => void {
  let left = MAX_INTERIM;
  return ({ status, statusText, headers }) => {
    if (status <= 101 || left === 0 || reply.status !== 0) return;
    left -= 1;
    reply.passInterim?.({ status, statusText, headers: passedAnswerHeaders(headers) });
  };
}

/** Watches may: their clients resume. Over HTTP/2 a reset stream is an error to clients of Go, after which they list again. */
function mayEndAnywhere({ method, target }: IncomingRequest, { statusCode, headers }: IncomingMessage): boolean {
  return method === 'GET' && statusCode === 200 && headers['content-length'] === undefined && isWatchTarget(target);
}

function begin(reply: Reply, message: IncomingMessage): PassedAnswer {
  const { statusCode: status = 502, statusMessage: statusText = '' } = message;
  const head: PassedHead = { status, statusText, headers: passedAnswerHeaders(message.rawHeaders) };
  if (reply.pass !== undefined) return reply.pass(head);
  return { body: reply.open({ status, headers: joined(head.headers) }), addTrailers: () => {} };
}

/** For replies that have one value for a name. */
function joined(flat: readonly string[]): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  for (const [raw, value] of headerPairs(flat)) {
    const name = raw.toLowerCase();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
