/** Answers of a storage engine on the pipe. */

import {
  type Entry,
  isStorageError,
  type StorageCapabilities,
  StorageError,
  type StorageErrorCode,
  type StorageEvent,
  type WatchBatch,
} from '@listwatch/storage';
import type { FrameReader, FrameWriter } from './pipe-frame.ts';

/** The kind of an event and of what was there before it. */
const EVENT = { created: 0, changed: 1, deleted: 2 } as const;

export function writeEntry(frame: FrameWriter, { key, value, modRevision }: Entry): FrameWriter {
  return frame.text(key).revision(modRevision).bytes(value);
}

export function readEntry(frame: FrameReader): Entry {
  return { key: frame.text(), modRevision: frame.revision(), value: frame.bytes() };
}

export function writeBatch(frame: FrameWriter, { events, revision }: WatchBatch): FrameWriter {
  frame.revision(revision).number(events.length);
  for (const event of events) {
    const type = event.type === 'delete' ? EVENT.deleted : event.previous === undefined ? EVENT.created : EVENT.changed;
    frame.number(type).text(event.key).revision(event.revision);
    if (event.type === 'put') frame.bytes(event.value);
    if (event.previous !== undefined) writeEntry(frame, event.previous);
  }
  return frame;
}

export function readBatch(frame: FrameReader): WatchBatch {
  const revision = frame.revision();
  const events = Array.from({ length: frame.number() }, () => readEvent(frame));
  return { revision, events };
}

function readEvent(frame: FrameReader): StorageEvent {
  const type = frame.number();
  const [key, revision] = [frame.text(), frame.revision()];
  if (type === EVENT.deleted) return { type: 'delete', key, revision, previous: readEntry(frame) };
  // Some are kept for long: a small one must not keep the whole frame.
  const value = Buffer.from(frame.bytes());
  const previous = type === EVENT.created ? undefined : readEntry(frame);
  return { type: 'put', key, value, revision, previous };
}

export function writePipeFailure(frame: FrameWriter, error: unknown): FrameWriter {
  const message = error instanceof Error ? error.message : String(error);
  if (!isStorageError(error)) {
    const kind = error instanceof RangeError ? 'RangeError' : error instanceof TypeError ? 'TypeError' : 'Error';
    return frame.text(kind).text(message);
  }
  const { code, key = '', revision } = error;
  return frame
    .text(`code ${code}`)
    .text(message)
    .text(key)
    .text(revision === undefined ? '' : String(revision));
}

export function readPipeFailure(frame: FrameReader): Error {
  const [kind, message] = [frame.text(), frame.text()];
  if (kind === 'RangeError') return new RangeError(message);
  if (kind === 'TypeError') return new TypeError(message);
  if (!kind.startsWith('code ')) return new StorageError('UNAVAILABLE', `the primary failed: ${message}`);
  const [key, revision] = [frame.text(), frame.text()];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other end is this very program
  return new StorageError(kind.slice(5) as StorageErrorCode, message, {
    ...(key === '' ? {} : { key }),
    ...(revision === '' ? {} : { revision: BigInt(revision) }),
  });
}

/** As another process sees them: what it saw last may be old. */
export function throughPipe(capabilities: StorageCapabilities): StorageCapabilities {
  return Object.freeze({ ...capabilities, shared: true });
}
