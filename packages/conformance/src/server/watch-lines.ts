/** The events of one watch connection, as a client takes them. */

import type { IncomingHttpHeaders } from 'node:http';
import { documentOf, parseDocument, type WireDocument } from './server-answer.ts';

/** One frame of a watch. */
export interface WatchedEvent {
  readonly type: string;
  readonly object: WireDocument;
}

/** How a watch ended. */
export interface WatchEnd {
  /** The transport said goodbye: the last chunk, the end of the stream, or a close frame. */
  readonly clean: boolean;
  /** The code of a WebSocket's close frame. */
  readonly code?: number | undefined;
  /** Bytes after the last whole line. */
  readonly rest: string;
}

/** Ends the connection from our side. */
export type Hangup = () => void;

/** A watch that has been accepted. One consumer. */
export class AcceptedWatch {
  readonly headers: IncomingHttpHeaders;
  /** Everything that came, taken or not. */
  readonly events: WatchedEvent[] = [];
  readonly #hangup: Hangup;
  #taken = 0;
  #rest = '';
  #end: WatchEnd | undefined;
  #wake: (() => void) | undefined;

  constructor(headers: IncomingHttpHeaders, hangup: Hangup) {
    this.headers = headers;
    this.#hangup = hangup;
  }

  /** Undefined while it runs. */
  get end(): WatchEnd | undefined {
    return this.#end;
  }

  /** The next event; undefined when the watch has ended. */
  async next(): Promise<WatchedEvent | undefined> {
    for (;;) {
      const event = this.events[this.#taken];
      if (event !== undefined) {
        this.#taken += 1;
        return event;
      }
      if (this.#end !== undefined) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** The next `count` events; fewer only when the watch ended. */
  async take(count: number): Promise<readonly WatchedEvent[]> {
    const taken: WatchedEvent[] = [];
    while (taken.length < count) {
      const event = await this.next();
      if (event === undefined) break;
      taken.push(event);
    }
    return taken;
  }

  /** Everything that is left, once the watch has ended. */
  async untilEnd(): Promise<readonly WatchedEvent[]> {
    return this.take(Number.POSITIVE_INFINITY);
  }

  close(): void {
    this.#hangup();
  }

  /** For the transport: more text. */
  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.events.push(parseEvent(line));
    this.#wake?.();
  }

  /** For the transport: nothing more will come. */
  finish(clean: boolean, code?: number): void {
    this.#end ??= { clean, code, rest: this.#rest };
    this.#wake?.();
  }
}

/** `ADDED a`, `BOOKMARK`, `ERROR 410`: what tests compare. */
export function eventText({ type, object }: WatchedEvent): string {
  if (type === 'ERROR') return `ERROR ${object.code}`;
  const isEnd = object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
  if (type === 'BOOKMARK') return isEnd ? 'BOOKMARK end of initial events' : 'BOOKMARK';
  return `${type} ${object.metadata.name}`;
}

/** The annotation of the bookmark that ends the initial events. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

function parseEvent(line: string): WatchedEvent {
  const frame = parseDocument(line);
  return { type: String(frame['type']), object: documentOf(frame['object']) };
}
