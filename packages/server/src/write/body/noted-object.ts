/** Adds the object that a client has sent to the audit log. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { AuditNotes } from '../../contract/audit.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { encodeJson } from '../../stored/exact-json.ts';

/** The object that was sent. */
export interface SentObject {
  readonly object: KubeObject;
  /** The time, for defaults that are timestamps. */
  readonly now: number;
}

/**
 * Notes the object as Kubernetes records it: decoded, with the defaults of its kind, before the server adds anything of its own.
 * Encoded again only where the policy wants whole objects.
 */
export async function noteSentObject(
  audit: AuditNotes,
  { strategy }: Pick<ResourceDefinition, 'strategy'>,
  { object, now }: SentObject,
): Promise<void> {
  const { namespace, name, uid, resourceVersion } = object.metadata;
  const metadata = { namespace, name, uid, resourceVersion };
  if (!audit.takesRequest) return audit.sent(metadata, undefined);
  const filled = strategy.withDefaults(strategy.canonical(object), now);
  await audit.sent(metadata, Buffer.from(encodeJson(filled)));
}
