/** One request as it came off the wire, before anybody knows who sent it. */
import type { Readable } from 'node:stream';
import type { ApiRequest, UserInfo } from './api-request.ts';

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
  /** The names and values of all headers in turn, as sent: repeated ones are not joined. */
  readonly rawHeaders: readonly string[];
  /** The body, not yet read. */
  readonly body: Readable;
  /** The certificate that the client showed on this connection; undefined when it showed none. */
  certificate(): ClientCertificate | undefined;
}

/** What authentication needs of a certificate. */
export interface ClientCertificate {
  /** The subject's CN: the user. */
  readonly commonName: string;
  /** The subject's Os: the groups. */
  readonly organizations: readonly string[];
  /** Is it valid now and signed by the configured client authority? */
  readonly trusted: boolean;
}
