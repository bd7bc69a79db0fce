/** A request as it arrived, before authentication. */
import type { Readable } from 'node:stream';
import type { ApiRequest, UserInfo } from './api-request.ts';

/** What the pipeline answers. */
export interface IncomingRequest {
  readonly method: string;
  /** The request target as it was sent; see `parseTarget`. */
  readonly target: string;
  readonly protocol: ApiRequest['protocol'];
  /** The user, for requests from within the process that need no authentication. */
  readonly user?: UserInfo | undefined;
  /** The value of a header, its name in lower case; one that was sent several times is joined by commas. */
  header(name: string): string | undefined;
  /** The names and values of all headers in turn, as sent: repeated ones are not joined. */
  readonly rawHeaders: readonly string[];
  /** The body, not yet read. */
  readonly body: Readable;
  /** The client certificate of the connection; undefined when the client sent none. */
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
