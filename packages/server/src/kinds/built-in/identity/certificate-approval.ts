/** `certificatesigningrequests/{name}/approval`: somebody approves or denies a request. */

import { type JsonRecord, recordOf, recordsOf } from '../../json/json-value.ts';
import type { SubresourceRules } from '../../kind-rules.ts';

/** Changes metadata and the conditions; the certificate is for the signer to set. */
export const certificateApproval: SubresourceRules = {
  onUpdate: (object, old) => {
    const kept = recordOf(old['status']);
    const conditions = dated(recordsOf(recordOf(object['status'])['conditions']), recordsOf(kept['conditions']));
    return { ...old, metadata: object.metadata, status: { ...kept, conditions } };
  },
};

/** New conditions get the time at which they came. */
function dated(conditions: readonly JsonRecord[], old: readonly JsonRecord[]): readonly JsonRecord[] {
  const now = `${new Date().toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;
  return conditions.map((condition) => {
    const before = old.find(({ type, status }) => type === condition['type'] && status === condition['status']);
    return {
      ...condition,
      lastUpdateTime: condition['lastUpdateTime'] ?? now,
      lastTransitionTime: condition['lastTransitionTime'] ?? before?.['lastTransitionTime'] ?? now,
    };
  });
}
