/** What the server wants its users to know: a deprecated version, a field that means nothing. */

import type { TransportDecorator, TransportRequest } from '../transport.ts';
import { wrap } from './decorate.ts';

/** One `Warning` of an answer. */
export interface ServerWarning {
  /** 299 from API servers. */
  readonly code: number;
  readonly agent: string;
  readonly text: string;
  /** What was asked for. */
  readonly method: string;
  readonly path: string;
}

/** `onWarning` must not throw. */
export function warnings(onWarning: (warning: ServerWarning) => void): TransportDecorator {
  return (next) =>
    wrap(next, async (request) => {
      const response = await next.send(request);
      const { warning } = response.headers;
      if (warning !== undefined) for (const one of parseWarnings(warning, request)) onWarning(one);
      return response;
    });
}

/** A text in quotes may have commas and escaped quotes: splitting at commas would tear it. */
const WARNING = /(\d{3}) (\S+) "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/gu;

function parseWarnings(header: string, { method, path }: TransportRequest): readonly ServerWarning[] {
  return [...header.matchAll(WARNING)].map(([, code, agent = '-', text = '']) => ({
    code: Number(code),
    agent,
    text: text.replaceAll(/\\(.)/gu, '$1'),
    method,
    path,
  }));
}
