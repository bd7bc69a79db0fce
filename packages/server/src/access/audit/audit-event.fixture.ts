/** Events for the tests of this folder; no test itself, and not shipped. */

import { FakeClock } from '@listwatch/api/fake-clock';
import { AuditCounts } from './audit-counts.ts';
import type { AuditEvent } from './audit-event.ts';
import { AuditLosses } from './audit-losses.ts';

/** An event with an id. */
export function auditEvent(auditId: string, fields: Partial<AuditEvent> = {}): AuditEvent {
  const call = {
    auditId,
    requestURI: '/version',
    verb: 'get',
    sourceIPs: ['127.0.0.1'],
    userAgent: 'probe',
    receivedAt: 0,
    user: { name: 'ann', groups: ['devs', 'system:authenticated'] },
  };
  return {
    level: 'Metadata',
    stage: 'RequestReceived',
    call,
    impersonated: undefined,
    object: undefined,
    code: undefined,
    at: 0,
    who: '"requestURI":"/version","verb":"get","user":{"username":"ann"}',
    how: '',
    responseStatus: undefined,
    requestObject: undefined,
    responseObject: undefined,
    received: '2026-11-16T15:22:31.091588Z',
    stageTime: '2026-11-16T15:22:31.091588Z',
    annotations: undefined,
    ...fields,
  };
}

/** A clock, the counts and what was told of losses. */
export class LossesUnderTest {
  readonly clock: FakeClock = new FakeClock();
  readonly counts: AuditCounts = new AuditCounts();
  readonly told: string[] = [];
  readonly losses: AuditLosses = new AuditLosses(this.clock, this.counts, ({ message }) => this.told.push(message));
}
