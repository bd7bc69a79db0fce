/** Events that are too large lose their objects. */

import { type AuditEvent, eventJson } from './audit-event.ts';

/** The event with at most so many bytes of JSON: as it is, without its objects, or not at all. */
export function truncatedEvent(event: AuditEvent, maxBytes: number): AuditEvent | undefined {
  if (eventBytes(event) <= maxBytes) return event;
  const annotations = new Map(event.annotations).set('audit.k8s.io/truncated', 'true');
  const short = { ...event, requestObject: undefined, responseObject: undefined, annotations };
  return eventBytes(short) <= maxBytes ? short : undefined;
}

/** The bytes of its JSON. */
export function eventBytes(event: AuditEvent): number {
  return Buffer.byteLength(eventJson(event));
}

/** About so much memory: enough to bound what waits. */
export function eventWeight({ who, how, requestObject = '', responseObject = '' }: AuditEvent): number {
  return FIXED_BYTES + who.length + how.length + requestObject.length + responseObject.length;
}

const FIXED_BYTES = 1024;
