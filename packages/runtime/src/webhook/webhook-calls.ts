/** Answers calls, whatever brought them: a server of Node, `fetch` handlers, a test. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import { durationNanos } from '@listwatch/api/values';
import type { Logger } from '../controller/logger.ts';
import { CallsInFlight, type InFlightShare } from './calls-in-flight.ts';
import { answerAdmission, type ReviewAnswer, type ReviewCall } from './review/admission-answer.ts';
import type { AdmissionHook } from './review/admission-hook.ts';
import type { KindConversion } from './review/conversion.ts';
import { answerConversion } from './review/conversion-answer.ts';
import { MalformedReview } from './review/reviewed-request.ts';
import type { CallRecord, HookOutcome, WebhookObserver } from './webhook-observer.ts';
import type { WebhooksConfig } from './webhook-options.ts';

/** Where conversions are served, as controller-runtime has it. */
export const CONVERT_PATH = '/convert';

/** What is served. */
export interface RegisteredHooks {
  readonly admission: ReadonlyMap<string, AdmissionHook>;
  /** By `group/kind`. */
  readonly conversions: ReadonlyMap<string, KindConversion>;
}

/** An answer of HTTP. */
export interface CallAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The head of a call. */
export interface CallHead {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly contentLength: number | undefined;
}

/** A call whose body is read next. End it by `answer` or `refuse`. */
export interface OpenCall {
  /** Counts a part of the body. An answer: the body is too large, or there is no room for it; the call has ended. */
  grow(bytes: number): CallAnswer | undefined;
  answer(body: Uint8Array, signal: AbortSignal | undefined): Promise<CallAnswer>;
  /** Ends a call whose body did not come. */
  abandon(): void;
}

export interface CallSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: WebhookObserver;
}

/** The server waits for at most so long, whatever the query says. */
const TIMEOUT_MAX_MS = 30_000;

export class WebhookCalls {
  readonly #inFlight: CallsInFlight;
  readonly #hooks: RegisteredHooks;
  readonly #config: WebhooksConfig;
  readonly #surroundings: CallSurroundings;

  constructor(hooks: RegisteredHooks, config: WebhooksConfig, surroundings: CallSurroundings) {
    this.#hooks = hooks;
    this.#config = config;
    this.#surroundings = surroundings;
    this.#inFlight = new CallsInFlight({ calls: config.maxInFlight, bytes: config.maxInFlightBytes });
  }

  /** An answer at once for what cannot be a call of a webhook; otherwise the body is to be read. */
  open(head: CallHead): CallAnswer | OpenCall {
    const { clock, observer } = this.#surroundings;
    const began = monotonicMs(clock);
    const [path = '', query = ''] = head.url.split('?', 2);
    const isKnown = path === CONVERT_PATH ? this.#hooks.conversions.size > 0 : this.#hooks.admission.has(path);
    const ended = observer.started(isKnown ? path : '');
    const end = (record: Omit<CallRecord, 'ms'>): void => ended({ ...record, ms: monotonicMs(clock) - began });
    const refuse = (answer: CallAnswer): CallAnswer => {
      end({ outcome: 'refused', status: answer.status, operation: undefined });
      return answer;
    };
    if (!isKnown) return refuse(plain(404, `no webhook is served at ${path.slice(0, 200)}\n`));
    if (head.method !== 'POST') return refuse(plain(405, 'use POST\n', { allow: 'POST' }));
    if (!/^application\/json\b/iu.test(head.contentType ?? ''))
      return refuse(plain(415, 'the Content-Type must be application/json\n'));
    const maxBytes = path === CONVERT_PATH ? this.#config.maxConversionBytes : this.#config.maxBodyBytes;
    if ((head.contentLength ?? 0) > maxBytes) return refuse(tooLarge(maxBytes));
    const share = this.#inFlight.take();
    if (share === undefined) return refuse(busy());
    return this.#openCall(path, query, { share, maxBytes, end });
  }

  #openCall(
    path: string,
    query: string,
    {
      share,
      maxBytes,
      end,
    }: {
      readonly share: InFlightShare;
      readonly maxBytes: number;
      readonly end: (record: Omit<CallRecord, 'ms'>) => void;
    },
  ): OpenCall {
    let bytes = 0;
    const give = (answer: CallAnswer, outcome: HookOutcome = 'refused'): CallAnswer => {
      share.release();
      end({ outcome, status: answer.status, operation: undefined });
      return answer;
    };
    return {
      grow: (more) => {
        bytes += more;
        if (bytes > maxBytes) return give(tooLarge(maxBytes));
        return share.grow(more) ? undefined : give(busy());
      },
      abandon: () => void give(plain(400, 'the body did not come\n')),
      answer: async (body, signal) => {
        try {
          const answer = await this.#answer(path, { body, timeoutMs: timeoutOf(query), signal });
          // A handler that does not heed its signal keeps its place: without that, nothing would bound how many there are.
          void answer.settled.then(() => share.release());
          end({ outcome: answer.outcome, status: 200, operation: answer.operation });
          return { status: 200, headers: { 'content-type': 'application/json' }, body: answer.body };
        } catch (error) {
          if (error instanceof MalformedReview) return give(plain(400, `${error.message}\n`));
          this.#surroundings.logger.error({ err: error, path }, 'a call of a webhook failed');
          return give(plain(500, 'the webhook failed; its log says why\n'), 'failed');
        }
      },
    };
  }

  #answer(path: string, call: ReviewCall): Promise<ReviewAnswer> {
    const hook = this.#hooks.admission.get(path);
    if (hook !== undefined) return answerAdmission(hook, call, this.#surroundings);
    const { conversions } = this.#hooks;
    return answerConversion((group, kind) => conversions.get(`${group}/${kind}`), call, this.#surroundings);
  }
}

export function isCallAnswer(opened: CallAnswer | OpenCall): opened is CallAnswer {
  return 'status' in opened;
}

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): CallAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}

function tooLarge(maxBytes: number): CallAnswer {
  return plain(413, `the body is larger than ${maxBytes} bytes\n`);
}

/** kube-apiserver repeats a call with this header until its timeout. */
function busy(): CallAnswer {
  return plain(429, 'too many calls at once\n', { 'retry-after': '1' });
}

/** `?timeout=10s`; undefined when there is none. */
function timeoutOf(query: string): number | undefined {
  const text = new URLSearchParams(query).get('timeout');
  const nanos = text === null ? undefined : durationNanos(text);
  if (nanos === undefined || nanos <= 0n) return undefined;
  return Math.min(Number(nanos / 1_000_000n), TIMEOUT_MAX_MS);
}
