/** A request as it arrived, before authentication. */
import type { Readable } from 'node:stream';
import type { ApiRequest, UserInfo } from './api-request.ts';

/** A request that the pipeline answers. */
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
  /** Can its connection change the protocol (`Reply.tunnel`)? Default: no. */
  readonly canUpgrade?: boolean | undefined;
  /** The body, not yet read. */
  readonly body: Readable;
  /** The address of the other end of the connection. Absent: there is none. */
  peer?(): string | undefined;
  /** The client certificate of the connection; undefined when the client sent none. */
  certificate(): ClientCertificate | undefined;
}

/** The fields of a certificate that authentication reads. */
export interface ClientCertificate {
  /** The subject's CN: the user. */
  readonly commonName: string;
  /** The subject's Os: the groups. */
  readonly organizations: readonly string[];
  /** Is it valid now, for clients, and signed by the configured client authority? */
  readonly trusted: boolean;
  /** The same for the authority of front proxies. */
  readonly isFrontProxy?: boolean | undefined;
  /** The subject's attribute 1.3.6.1.4.1.57683.2: the uid of the user. */
  readonly uid?: string | undefined;
  /** SHA-256 of the certificate, lower-case hex. */
  readonly fingerprint?: string | undefined;
  /** The serial number, lower-case hex. */
  readonly serial?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expires?: number | undefined;
}
