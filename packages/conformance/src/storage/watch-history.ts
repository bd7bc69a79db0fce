/** The history checker: holds what a watch delivered against what was committed, and names the guarantee that broke. */

import type { Entry, Revision, StorageEvent, WatchBatch } from '@listwatch/storage';

/** The six promises of a watch; `StorageWatch` defines each. */
export type WatchGuarantee = 'ordered' | 'unique' | 'reliable' | 'atomic' | 'resumable' | 'bookmarkable';

/** One connection of a watch: from where it was opened and what came. */
export interface WatchSegment {
  readonly after: Revision;
  readonly batches: readonly WatchBatch[];
}

/** A watch with all its resumptions. */
export interface WatchRecord {
  readonly prefix: string;
  /** In order; each but the first resumes where the one before it stopped. */
  readonly segments: readonly WatchSegment[];
}

/** A broken promise. */
export interface HistoryViolation {
  readonly guarantee: WatchGuarantee;
  readonly message: string;
}

/** Every way in which `record` differs from the truth: all committed events, oldest first. Empty when it is right. */
export function checkWatchHistory(truth: readonly StorageEvent[], record: WatchRecord): readonly HistoryViolation[] {
  const violations: HistoryViolation[] = [];
  const report = (guarantee: WatchGuarantee, message: string): void => {
    violations.push({ guarantee, message });
  };
  checkResumptions(record, report);
  checkSequence(record, report);
  checkCompleteness(truth, record, report);
  return violations;
}

type Report = (guarantee: WatchGuarantee, message: string) => void;

function checkResumptions(record: WatchRecord, report: Report): void {
  for (const [index, segment] of record.segments.entries()) {
    const before = record.segments[index - 1];
    const expected = before === undefined ? segment.after : reached(before);
    if (segment.after !== expected) {
      report('resumable', `segment ${index} resumed after ${segment.after}, the one before it had come to ${expected}`);
    }
    for (const event of segment.batches.flatMap((batch) => batch.events)) {
      if (event.revision <= segment.after) {
        report('resumable', `${name(event)} came on a watch that was opened after ${segment.after}`);
      }
    }
  }
}

function checkSequence(record: WatchRecord, report: Report): void {
  const seen = new Set<string>();
  let last = 0n;
  let promised = record.segments[0]?.after ?? 0n;
  for (const batch of record.segments.flatMap((segment) => segment.batches)) {
    const inEarlierBatch = last;
    for (const event of batch.events) {
      const id = `${event.revision} ${event.key}`;
      if (seen.has(id)) report('unique', `${name(event)} came twice`);
      else if (event.revision < last) report('ordered', `${name(event)} came after revision ${last}`);
      else if (event.revision === inEarlierBatch)
        report('atomic', `revision ${last} was split: ${name(event)} came later`);
      else if (event.revision <= promised) {
        report('bookmarkable', `${name(event)} came after the watch had said it was at ${promised}`);
      }
      seen.add(id);
      if (event.revision > last) last = event.revision;
    }
    if (batch.revision < promised) report('bookmarkable', `progress went back from ${promised} to ${batch.revision}`);
    if (batch.revision < last) report('bookmarkable', `a batch with revision ${last} says it is at ${batch.revision}`);
    if (batch.revision > promised) promised = batch.revision;
  }
}

function checkCompleteness(truth: readonly StorageEvent[], record: WatchRecord, report: Report): void {
  const first = record.segments[0];
  const lastSegment = record.segments.at(-1);
  if (first === undefined || lastSegment === undefined) return;
  const end = reached(lastSegment);
  const delivered = new Map<string, StorageEvent>();
  for (const event of record.segments.flatMap((s) => s.batches).flatMap((batch) => batch.events)) {
    delivered.set(`${event.revision} ${event.key}`, event);
  }
  for (const event of truth) {
    if (event.revision <= first.after || event.revision > end || !event.key.startsWith(record.prefix)) continue;
    const id = `${event.revision} ${event.key}`;
    const got = delivered.get(id);
    if (got === undefined) report('reliable', `${name(event)} never came, although the watch says it is at ${end}`);
    else if (!sameEvent(event, got)) report('reliable', `${name(event)} came with other contents: ${describe(got)}`);
    delivered.delete(id);
  }
  for (const event of delivered.values()) report('reliable', `${name(event)} came but was never committed`);
}

function reached(segment: WatchSegment): Revision {
  return segment.batches.at(-1)?.revision ?? segment.after;
}

function name(event: StorageEvent): string {
  return `${event.type} of ${event.key} at ${event.revision}`;
}

function describe(event: StorageEvent): string {
  const value = event.type === 'put' ? Buffer.from(event.value).toString().slice(0, 40) : '';
  return `${name(event)} "${value}" with previous ${event.previous?.modRevision ?? 'none'}`;
}

function sameEvent(a: StorageEvent, b: StorageEvent): boolean {
  if (a.type !== b.type || !sameEntry(a.previous, b.previous)) return false;
  return a.type === 'delete' || (b.type === 'put' && sameBytes(a.value, b.value));
}

function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.key === b.key && a.modRevision === b.modRevision && sameBytes(a.value, b.value);
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
