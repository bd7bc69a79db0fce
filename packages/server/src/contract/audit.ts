/** Notes that the handlers of a request add to its audit record. */

import type { Status } from '@listwatch/api';

/** The metadata that identifies an object in a request body. */
export interface SentMetadata {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** The notes of one request. Absent when the request is not audited, so that it costs nothing. */
export interface AuditNotes {
  /** Is the object of the request recorded? Only then is it worth encoding. */
  readonly takesRequest: boolean;
  /** Is the object of the answer recorded? */
  readonly takesResponse: boolean;
  /** The client has sent an object: its name completes that of the path. `json`: the object itself, where it is recorded. */
  sent(metadata: SentMetadata, json: Buffer | undefined): Promise<void> | void;
  /** Another object in the body, such as options, as JSON. */
  requestObject(json: Buffer): void;
  /** A patch as it was sent. */
  patch(body: Buffer): void;
  /** The object of the answer as JSON, for an answer in another form. */
  responseObject(json: Buffer): void;
  /** The answer is this Status. */
  status(status: Status): void;
  /** Adds an annotation, such as that of an admission plugin. The first value of a key stays. */
  annotate(key: string, value: string): void;
  /** The version of the API is deprecated. */
  deprecated(): void;
}
