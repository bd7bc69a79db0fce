/** What the rules of Kubernetes say of an edit, before it is sent. */

import type { ApiObject } from '@listwatch/api';
import type { ServedResource } from '@listwatch/client';

/**
 * Why a server would refuse the edit; nothing for a kind without rules. Where the rules refuse the object as it was, the server
 * is of another version: only it can tell.
 */
export async function refusals(kind: ServedResource, base: ApiObject, edited: unknown): Promise<readonly string[]> {
  // Larger than the page, and few who look at objects edit them.
  const { hasRules, validate } = await import('@listwatch/rules');
  if (!hasRules(kind)) return [];
  const before = await validate(kind, base, { old: base });
  if (before.errors.length > 0) return [];
  const { errors } = await validate(kind, edited, { old: base });
  return errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
}
