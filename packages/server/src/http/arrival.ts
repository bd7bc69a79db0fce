/** One request as it came off the wire, before anybody knows who sent it. */
import type { Readable } from 'node:stream';
import type { ClientCertificate } from './client-certificate.ts';
import type { ApiRequest, UserInfo } from './exchange.ts';

/** What the pipeline is given to answer. */
export interface Arrival {
  readonly method: string;
  /** The request target as it was sent; see `parseTarget`. */
  readonly target: string;
  readonly protocol: ApiRequest['protocol'];
  /** Who asks, when that needs no proof: only for requests from within the process. */
  readonly user?: UserInfo | undefined;
  /** The value of a header, its name in lower case; one that was sent several times is joined by commas. */
  header(name: string): string | undefined;
  /** The body, not yet read. */
  readonly body: Readable;
  /** The certificate that the client showed on this connection; undefined when it showed none. */
  certificate(): ClientCertificate | undefined;
}

/** The two halves of a request target. */
export interface RequestTarget {
  /** Percent-encoded as it came, with its leading slash. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Reads a request target, in origin form (`/path?query`) or absolute form; undefined when it is neither. */
export function parseTarget(target: string): RequestTarget | undefined {
  if (target.startsWith('/')) return split(target);
  const absolute = /^https?:\/\/[^/?#]*(?<rest>.*)$/iu.exec(target);
  if (absolute === null) return undefined;
  const rest = absolute.groups?.['rest'] ?? '';
  return split(rest.startsWith('/') ? rest : `/${rest}`);
}

/** A header as Node gives it, as one text. */
export function headerText(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : value.join(', ');
}

function split(target: string): RequestTarget {
  const mark = target.indexOf('?');
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
