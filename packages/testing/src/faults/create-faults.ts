/** Faults on demand, on the way between a client and its server. */

import {
  type Clock,
  compactedWatch,
  expiredContinue,
  expiredList,
  type StatusError,
  systemClock,
  tooManyRequests,
} from '@listwatch/api';
import { type TransportDecorator, type TransportRequest } from '@listwatch/client';
import type { EndOfBody, Fault, FaultOptions } from './fault.ts';
import { type FaultEffect, FaultRule } from './fault-rule.ts';
import { FaultTransport } from './fault-transport.ts';
import type { CutOptions, ExpireOptions, Faults, TearOptions } from './faults.ts';
import type { FaultyExchange, FaultyWorld } from './faulty-exchange.ts';
import { isBookmark, isInitialEventsEndFrame } from './frame-kind.ts';
import { errorFrame, errorWatch, statusAnswer } from './status-answer.ts';
import { asksForWatch, freshToken, pastOf } from './watch-request.ts';

/** Options of {@link createFaults}. */
export interface FaultsOptions {
  /** For `delay` and for the limits of requests that are not answered. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/**
 * Faults for any transport: in the process, or over real sockets.
 *
 * @example
 * const faults = createFaults();
 * const transport = faults.decorate(createHttp1Transport({ ... }));
 * using stalled = faults.stall();
 */
export function createFaults({ clock = systemClock }: FaultsOptions = {}): Faults {
  return new ActiveFaults(clock);
}

class ActiveFaults implements Faults, FaultyWorld {
  readonly clock: Clock;
  readonly exchanges = new Set<FaultyExchange>();
  readonly #rules = new Set<FaultRule>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  readonly decorate: TransportDecorator = (next) => new FaultTransport(next, this);

  get watches(): number {
    let watches = 0;
    for (const { isWatch, body } of this.exchanges) if (isWatch && body !== undefined) watches += 1;
    return watches;
  }

  rulesFor(request: TransportRequest): readonly FaultRule[] {
    return [...this.#rules].filter((rule) => rule.matches(request));
  }

  cutWatches(options: CutOptions = {}): Fault {
    const { how = 'broken', afterEvents } = options;
    if (afterEvents !== undefined) {
      checkCount('afterEvents', afterEvents);
      return this.#add({ frame: (_, number) => ({ type: number >= afterEvents ? 'endAfter' : 'pass', how }) }, options);
    }
    return this.#strikeNow(options, (exchange) => exchange.isWatch && cutBody(exchange, how));
  }

  stall(options: FaultOptions = {}): Fault {
    return this.#add({ stalls: true }, options);
  }

  halfOpen(options: FaultOptions = {}): Fault {
    const rule = this.#add({ swallows: true }, options);
    for (const exchange of this.exchanges) {
      if (!rule.matches(exchange.request)) continue;
      exchange.swallow();
      rule.strike();
    }
    return rule;
  }

  expire(resourceVersion: string, options: ExpireOptions = {}): Fault {
    const oldest = checkVersion(resourceVersion);
    const { at = 'stream', running = false } = options;
    const isExpired = (request: TransportRequest): boolean => (pastOf(request) ?? oldest + 1n) <= oldest;
    const rule = this.#add(
      {
        answer: (request) => {
          if (!isExpired(request)) return undefined;
          const error = expiry(request);
          return asksForWatch(request) && at === 'stream' ? errorWatch(error) : statusAnswer(error);
        },
      },
      options,
    );
    if (!running) return rule;
    for (const { isWatch, request, body } of this.exchanges) {
      if (!isWatch || body === undefined || !rule.matches(request)) continue;
      body.endWith(errorFrame(compactedWatch()));
      rule.strike();
    }
    return rule;
  }

  tooManyRequests(count = 1, retryAfterSeconds = 0, options: Omit<FaultOptions, 'times'> = {}): Fault {
    checkCount('count', count);
    const error = tooManyRequests('too many requests, says a fault', retryAfterSeconds);
    return this.#add({ answer: () => statusAnswer(error) }, { ...options, times: count });
  }

  dropBookmarks(options: FaultOptions = {}): Fault {
    return this.#drop((frame) => isBookmark(frame) && !isInitialEventsEndFrame(frame), options);
  }

  dropInitialEventsEnd(options: FaultOptions = {}): Fault {
    return this.#drop(isInitialEventsEndFrame, options);
  }

  tearFrame(options: TearOptions = {}): Fault {
    const { how = 'broken' } = options;
    return this.#add({ frame: () => ({ type: 'tear', how }) }, { times: 1, ...options });
  }

  delay(ms: number, options: FaultOptions = {}): Fault {
    if (!(ms >= 0)) throw new RangeError(`a delay is 0 ms or more, not ${ms}`);
    return this.#add({ delayMs: ms }, options);
  }

  restoreAll(): void {
    for (const rule of this.#rules) rule.restore();
  }

  #drop(isLost: (frame: Uint8Array) => boolean, options: FaultOptions): Fault {
    return this.#add({ frame: (frame) => ({ type: isLost(frame) ? 'drop' : 'pass' }) }, options);
  }

  #add(effect: FaultEffect, options: FaultOptions): FaultRule {
    const rule = new FaultRule(effect, options, (restored) => {
      this.#rules.delete(restored);
      this.#reconsider();
    });
    this.#rules.add(rule);
    this.#reconsider();
    return rule;
  }

  /** A fault that is over as soon as it has struck. */
  #strikeNow(options: FaultOptions, strike: (exchange: FaultyExchange) => boolean): Fault {
    const rule = new FaultRule({}, options, () => {});
    for (const exchange of this.exchanges) {
      if (rule.matches(exchange.request) && strike(exchange)) rule.strike();
    }
    rule.restore();
    return rule;
  }

  #reconsider(): void {
    for (const { body } of this.exchanges) body?.reconsider();
  }
}

function cutBody({ body }: FaultyExchange, how: EndOfBody): boolean {
  body?.cut(how);
  return body !== undefined;
}

function expiry(request: TransportRequest): StatusError {
  if (asksForWatch(request)) return compactedWatch();
  const fresh = freshToken(request);
  return fresh === undefined ? expiredList() : expiredContinue(fresh);
}

function checkVersion(text: string): bigint {
  if (!/^[1-9]\d*$/u.test(text))
    throw new RangeError(`a resource version to expire is a number, not ${JSON.stringify(text)}`);
  return BigInt(text);
}

function checkCount(name: string, count: number): void {
  if (!(Number.isSafeInteger(count) && count >= 1)) throw new RangeError(`${name} must be 1 or more, not ${count}`);
}
