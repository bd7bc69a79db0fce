/** An edit of an object: text to patch, a check in the page, dry run, save, and what a conflict means. */

import { type ApiObject, isConflict } from '@listwatch/api';
import { isRecord } from '@listwatch/api/values';
import type { Cluster, ServedResource } from '@listwatch/client';
import { errorText } from '../logic/error-text.ts';
import { mergePatch, mergePatched } from '../logic/merge-patch.ts';
import { yamlText } from '../logic/yaml-lines.ts';
import { refusals } from './edit-rules.ts';

/** What an attempt came to. */
export type EditOutcome =
  | { readonly type: 'checked'; readonly result: ApiObject }
  | { readonly type: 'conflict'; readonly current: ApiObject; readonly text: string }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'invalid'; readonly reasons: readonly string[] }
  | { readonly type: 'saved'; readonly result: ApiObject }
  | { readonly type: 'unchanged' };

const MANAGER = 'listwatch-console';

/** The text that is edited: everything but what only the server sets. */
export function editText(object: ApiObject): string {
  return yamlText(editable(object));
}

function editable(object: ApiObject): unknown {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** How an edit is sent. */
export interface SendOptions {
  readonly dryRun: boolean;
  /** The server is asked even if the rules that the page knows refuse the edit: it may be newer than they are. */
  readonly isForced: boolean;
}

/**
 * Sends what the text changes of `base`, the version that the edit began with. Any other version is a conflict; then the
 * outcome has the newest object, and the text of the same change on top of it.
 */
export async function sendEdit(
  cluster: Cluster,
  kind: ServedResource,
  base: ApiObject,
  text: string,
  { dryRun, isForced }: SendOptions,
): Promise<EditOutcome> {
  const { name, namespace, resourceVersion } = base.metadata;
  let edited: unknown;
  let patch: unknown;
  try {
    edited = await parseYaml(text);
    patch = mergePatch(editable(base), edited);
  } catch (error) {
    return { type: 'failed', reason: errorText(error) };
  }
  if (patch === undefined) return { type: 'unchanged' };
  const reasons = isForced ? [] : await refusals(kind, base, edited);
  if (reasons.length > 0) return { type: 'invalid', reasons };
  const body: object = Object(mergePatched(patch, { metadata: { resourceVersion } }));
  try {
    const result = await cluster.patch(
      kind,
      { name, namespace },
      { type: 'merge', body },
      { dryRun, fieldManager: MANAGER, fieldValidation: 'Strict' },
    );
    return { type: dryRun ? 'checked' : 'saved', result };
  } catch (error) {
    if (!isConflict(error)) return { type: 'failed', reason: errorText(error) };
    const current = await cluster.get(kind, { name, namespace });
    return { type: 'conflict', current, text: yamlText(mergePatched(editable(current), patch)) };
  }
}

async function parseYaml(text: string): Promise<unknown> {
  const { JSON_SCHEMA, load } = await import('js-yaml');
  const value = load(text, { schema: JSON_SCHEMA });
  if (!isRecord(value)) throw new TypeError('this is not an object');
  return value;
}
