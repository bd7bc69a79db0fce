/** `certificatesigningrequests/{name}/approval`: approves or denies a request. */

import { type JsonRecord, recordOf, recordsOf } from '@listwatch/api/values';
import { wholeSeconds } from '../../columns/whole-seconds.ts';
import type { SubresourceRules } from '../../strategy/kind-rules.ts';

/** Changes metadata and conditions. Only the signer sets the certificate, through `/status`. */
export const certificateApproval: SubresourceRules = {
  onUpdate: (object, old, now) => {
    const kept = recordOf(old['status']);
    const conditions = dated(recordsOf(recordOf(object['status'])['conditions']), recordsOf(kept['conditions']), now);
    return { ...old, metadata: object.metadata, status: { ...kept, conditions } };
  },
};

/** Fills missing times with `at`. A condition with an unchanged status keeps its transition time. */
function dated(conditions: readonly JsonRecord[], old: readonly JsonRecord[], at: number): readonly JsonRecord[] {
  const now = wholeSeconds(at);
  return conditions.map((condition) => {
    const before = old.find(({ type, status }) => type === condition['type'] && status === condition['status']);
    return {
      ...condition,
      lastUpdateTime: condition['lastUpdateTime'] ?? now,
      lastTransitionTime: condition['lastTransitionTime'] ?? before?.['lastTransitionTime'] ?? now,
    };
  });
}
