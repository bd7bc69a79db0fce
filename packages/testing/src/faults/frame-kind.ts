/** What kind of event a frame is. */

import { ANNOTATION } from '@listwatch/api';

/** Is the frame a bookmark? */
export function isBookmark(frame: Uint8Array): boolean {
  return parse(frame)?.type === 'BOOKMARK';
}

/** Is the frame the bookmark after the last of the initial events? */
export function isInitialEventsEndFrame(frame: Uint8Array): boolean {
  const event = parse(frame);
  return event?.type === 'BOOKMARK' && event.object?.metadata?.annotations?.[ANNOTATION.initialEventsEnd] === 'true';
}

/** As much of an event as is looked at; nothing of it is certain. */
interface MaybeEvent {
  readonly type?: unknown;
  readonly object?: { readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> } };
}

function parse(frame: Uint8Array): MaybeEvent | undefined {
  try {
    const event: MaybeEvent | null = JSON.parse(new TextDecoder().decode(frame));
    return event ?? undefined;
  } catch {
    // What is no JSON is the reader's to judge.
    return undefined;
  }
}
