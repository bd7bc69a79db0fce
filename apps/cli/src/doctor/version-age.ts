/** Estimates how old a resourceVersion is, by objects whose version and last change are known. */

import { groupVersionPath } from '@listwatch/api';
import type { CheckContext } from './check.ts';
import type { ProbedCollection } from './facts.ts';
import { documentText, listAt } from './json-path.ts';
import { answerJson } from './probe.ts';
import { subjectPath } from './subject-path.ts';

/** Bounds of an age; undefined where no object gives one. */
export interface AgeBounds {
  readonly leastMs: number | undefined;
  readonly mostMs: number | undefined;
}

/** A version, and when it was written. */
export interface DatedVersion {
  readonly version: bigint;
  readonly time: number;
}

const ACCEPT = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';
/** Leases and events change all the time, so that their versions are spread over the last minutes. */
const BUSY = [
  `${groupVersionPath({ group: 'coordination.k8s.io', version: 'v1' })}/leases?limit=200`,
  `${groupVersionPath({ group: '', version: 'v1' })}/events?limit=200`,
];

/** What cannot be listed is left out. */
export async function versionAge(
  { ask, signal }: Pick<CheckContext, 'ask' | 'signal'>,
  subject: ProbedCollection,
  version: bigint,
): Promise<AgeBounds> {
  const dated: DatedVersion[] = [];
  for (const path of [subjectPath(subject, { limit: '200' }), ...BUSY]) {
    try {
      dated.push(...datedVersions(answerJson(await ask(path, { headers: { accept: ACCEPT } }))));
    } catch {
      signal.throwIfAborted();
    }
  }
  return ageBounds(dated, version, Date.now());
}

/** The neighbours of `version` on both sides bound its age. */
export function ageBounds(dated: readonly DatedVersion[], version: bigint, now: number): AgeBounds {
  const newer = dated.filter((one) => one.version >= version).map(({ time }) => time);
  const older = dated.filter((one) => one.version < version).map(({ time }) => time);
  return {
    leastMs: newer.length === 0 ? undefined : Math.max(0, now - Math.min(...newer)),
    mostMs: older.length === 0 ? undefined : Math.max(0, now - Math.max(...older)),
  };
}

/** An object's version was written at the time of its last manager. */
function datedVersions(document: unknown): readonly DatedVersion[] {
  return listAt(document, 'items').flatMap((item) => {
    const version = documentText(item, 'metadata', 'resourceVersion');
    const times = listAt(item, 'metadata', 'managedFields').map((entry) => Date.parse(documentText(entry, 'time')));
    const last = Math.max(...times.filter((time) => !Number.isNaN(time)));
    return /^\d+$/u.test(version) && Number.isFinite(last) ? [{ version: BigInt(version), time: last }] : [];
  });
}
