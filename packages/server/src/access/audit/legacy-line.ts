/** Events as one line of text: the format `legacy` of Kubernetes. */

import { quote } from '@listwatch/api';
import type { AuditEvent } from './audit-event.ts';

/** The line, without its end. */
export function legacyLine(event: AuditEvent): string {
  const { call, impersonated, object, code } = event;
  const { user } = call;
  const groups = user === undefined ? '<none>' : groupsText(user.groups);
  const as = impersonated === undefined ? '<self>' : impersonated.name;
  const asGroups = impersonated === undefined ? '<lookup>' : groupsText(impersonated.groups);
  const fields = {
    id: call.auditId,
    stage: event.stage,
    ip: call.sourceIPs[0] ?? '<unknown>',
    method: call.verb,
    user: user?.name ?? '<none>',
    groups,
    as,
    asgroups: asGroups,
    'user-agent': call.userAgent,
    namespace: object?.namespace || '<none>',
    uri: call.requestURI,
    response: code === undefined ? '<deferred>' : String(code),
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}=${quote(value)}`);
  return `${event.stageTime.slice(0, -1)}000Z AUDIT: ${text.join(' ')}`;
}

function groupsText(groups: readonly string[]): string {
  return groups.length === 0 ? '<none>' : groups.map((group) => quote(group)).join(',');
}
