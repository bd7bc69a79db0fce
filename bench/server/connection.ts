/** One connection to a server under test, in HTTP/1.1 or HTTP/2, as cheap as a client can be. */

/** The protocols that are measured. */
export type Protocol = 'h1' | 'h2';

/** A whole answer; its body is counted, and kept only when that was asked for. */
export interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly body: string;
}

/** What is asked. */
export interface Question {
  readonly method?: string | undefined;
  readonly path: string;
  readonly body?: Uint8Array | string | undefined;
  readonly contentType?: string | undefined;
  /** Default: the server's choice, JSON. */
  readonly accept?: string | undefined;
  /** Default false: bodies of megabytes are only counted. */
  readonly keep?: boolean | undefined;
}

/** A watch that has begun. */
export interface OpenWatch {
  /** Stops or goes on with reading: a slow client. */
  pause(): void;
  resume(): void;
  /** Resolves when the stream has ended, by whichever side. */
  readonly ended: Promise<void>;
}

/** One TLS connection. HTTP/1.1 takes one question at a time; HTTP/2 as many as the server allows. */
export interface Connection {
  ask(question: Question): Promise<Answer>;
  /** Resolves with the answer's head; rejects unless it is 200. On HTTP/1.1 the connection is used up by it. */
  watch(path: string, onData: (chunk: Buffer) => void): Promise<OpenWatch>;
  close(): void;
}
