/** Tells of every request. */

import type { Clock } from '@listwatch/api';
import { monotonicMs } from '@listwatch/api/internal';
import type { TransportDecorator } from '../transport.ts';
import { wrap } from './decorate.ts';

/** One request, once its headers are here or will not come. Nothing of it is secret: no headers, no body. */
export interface RequestRecord {
  readonly transport: string;
  readonly method: string;
  readonly path: string;
  /** Until the headers: a watch goes on after it. */
  readonly ms: number;
  readonly status?: number | undefined;
  readonly error?: unknown;
}

/** `log` must not throw. */
export function logging(log: (record: RequestRecord) => void, clock: Clock): TransportDecorator {
  return (next) =>
    wrap(next, async (request) => {
      const { method, path } = request;
      const started = monotonicMs(clock);
      const facts = (): Omit<RequestRecord, 'error' | 'status'> => ({
        transport: next.name,
        method,
        path,
        ms: monotonicMs(clock) - started,
      });
      try {
        const response = await next.send(request);
        log({ ...facts(), status: response.status });
        return response;
      } catch (error) {
        log({ ...facts(), error });
        throw error;
      }
    });
}
