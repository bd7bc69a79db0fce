/** What becomes of a FlowSchema or PriorityLevelConfiguration when the server compares it with what every cluster has. */

import { type JsonRecord, recordOf, sameJson } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';

/** `"true"`: the server keeps the spec as it wants it. */
export const AUTO_UPDATE_SPEC = 'apf.kubernetes.io/autoupdate-spec';

/** What is to be done to the stored object. */
export type FlowObjectChange =
  | { readonly type: 'keep' }
  | { readonly type: 'delete' }
  | { readonly type: 'update'; readonly object: KubeObject };

const KEEP: FlowObjectChange = { type: 'keep' };

/**
 * Compares a stored object with the server's own of the same name. A mandatory object is always restored. Of a suggested one the
 * annotation decides; without it an object that was never changed counts as the server's.
 */
export function reconciledFlowObject(stored: KubeObject, wanted: KubeObject, isMandatory: boolean): FlowObjectChange {
  const { annotations = {}, generation = 1 } = stored.metadata;
  const isOwn = isMandatory || isAutoUpdated(annotations, generation);
  const spec = recordOf(stored['spec']);
  const wantedSpec = keptSpec(recordOf(wanted['spec']), spec);
  const isSpecRight = !isOwn || sameJson(spec, wantedSpec);
  if (isSpecRight && annotations[AUTO_UPDATE_SPEC] === String(isOwn)) return KEEP;
  const metadata = {
    ...stored.metadata,
    annotations: { ...annotations, [AUTO_UPDATE_SPEC]: String(isOwn) },
    ...(isSpecRight ? {} : { generation: generation + 1 }),
  };
  return { type: 'update', object: { ...stored, metadata, ...(isSpecRight ? {} : { spec: wantedSpec }) } };
}

/** An object that the server does not know: one that says to be the server's is from an older version of it. */
export function unknownFlowObject({ metadata: { annotations = {} } }: KubeObject): FlowObjectChange {
  return annotations[AUTO_UPDATE_SPEC] === 'true' ? { type: 'delete' } : KEEP;
}

function isAutoUpdated(annotations: Readonly<Record<string, string>>, generation: number): boolean {
  const told = annotations[AUTO_UPDATE_SPEC];
  return told === 'true' || (told !== 'false' && generation === 1);
}

/** Administrators may let the exempt level lend seats. */
function keptSpec(wanted: JsonRecord, stored: JsonRecord): JsonRecord {
  return wanted['type'] === 'Exempt' && stored['exempt'] !== undefined
    ? { ...wanted, exempt: stored['exempt'] }
    : wanted;
}
