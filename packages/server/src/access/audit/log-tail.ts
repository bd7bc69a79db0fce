/** Searches the end of the server's own audit log: who did this to an object? */

import { open } from 'node:fs/promises';
import type { AuditTrail, AuditTrailEntry } from '@listwatch/api/console';
import { isRecord, listOf, recordOf, textOf } from '@listwatch/api/values';

/** An object of any kind. */
export interface TrailObject {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

/** No more of the log is read, whoever asks: the rest is for tools. */
const TAIL_BYTES = 4 * 1024 * 1024;
const ENTRIES_MAX = 50;
/** Lines that hold the name are parsed without their objects; longer ones are none of ours. */
const LINE_MAX_BYTES = 256 * 1024;
const LINE_END = 0x0a;
const BODY_STARTS = [',"requestObject":', ',"responseObject":'];
const BODY_END = ',"requestReceivedTimestamp":"';

/** The last requests for an object, the newest first. A log that is not there yet has none. */
export async function readLogTail(path: string, object: TrailObject): Promise<AuditTrail> {
  const { tail, isWhole } = await readTail(path);
  const entries = new Map<string, AuditTrailEntry>();
  const name = Buffer.from(`"name":${JSON.stringify(object.name)}`);
  let end = tail.length;
  while (end > 0 && entries.size < ENTRIES_MAX) {
    const start = tail.lastIndexOf(LINE_END, end - 2) + 1;
    const line = tail.subarray(start, end);
    end = start;
    // Most lines are about something else: to look for bytes is much cheaper than to parse.
    if (!line.includes(name)) continue;
    const entry = entryOf(line, object);
    // Of a request that has several events the last one says the most.
    if (entry !== undefined && !entries.has(entry.auditId)) entries.set(entry.auditId, entry);
  }
  return { entries: [...entries.values()], isComplete: isWhole && end === 0 };
}

async function readTail(path: string): Promise<{ readonly tail: Buffer; readonly isWhole: boolean }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const tail = Buffer.alloc(length);
    const { bytesRead } = await file.read(tail, 0, length, size - length);
    const read = tail.subarray(0, bytesRead);
    if (length === size) return { tail: read, isWhole: true };
    // The first line has lost its beginning.
    return { tail: read.subarray(read.indexOf(LINE_END) + 1), isWhole: false };
  } finally {
    await file.close();
  }
}

function entryOf(line: Buffer, { group, resource, namespace, name }: TrailObject): AuditTrailEntry | undefined {
  const event = eventOf(withoutBodies(line));
  if (event === undefined) return undefined;
  const ref = recordOf(event['objectRef']);
  const isSame =
    textOf(ref['name']) === name &&
    textOf(ref['namespace']) === namespace &&
    textOf(ref['resource']) === resource &&
    textOf(ref['apiGroup']) === group;
  if (!isSame) return undefined;
  const impersonated = textOf(recordOf(event['impersonatedUser'])['username']);
  const code = recordOf(event['responseStatus'])['code'];
  return {
    auditId: textOf(event['auditID']),
    at: textOf(event['requestReceivedTimestamp']),
    user: textOf(recordOf(event['user'])['username']),
    ...(impersonated === '' ? {} : { impersonated }),
    verb: textOf(event['verb']),
    subresource: textOf(ref['subresource']),
    code: typeof code === 'number' ? code : 0,
    userAgent: textOf(event['userAgent']),
    sourceIPs: listOf(event['sourceIPs']).map(textOf),
  };
}

/** Objects may have megabytes, and nobody who asks here is shown them. Quotes in texts are escaped: these marks are keys. */
function withoutBodies(line: Buffer): string {
  const starts = BODY_STARTS.map((mark) => line.indexOf(mark)).filter((at) => at >= 0);
  const end = line.lastIndexOf(BODY_END);
  if (starts.length === 0 || end < 0) return line.length > LINE_MAX_BYTES ? '' : line.toString();
  return line.toString('utf8', 0, Math.min(...starts)) + line.toString('utf8', end);
}

function eventOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    // The log of another program, or a line that is being written.
    return undefined;
  }
}
