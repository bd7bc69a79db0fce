/** The stages from `decode` to `encode` of a large write, done in the worker. */

import { recordOf } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { WriteAttempt, WriteDraft } from '../../contract/large-work.ts';
import { decodeJson } from '../../stored/exact-json.ts';
import { isStaleEntry } from '../../stored/shown-entry.ts';
import { layoutOf } from '../../stored/stored-object.ts';
import { WrittenObject } from '../../stored/written-objects.ts';
import type { Stage, Write } from '../write.ts';
import { answerQuestion } from './answer-question.ts';

/** Does the write run in the worker? Call it when the body and the current state are known. */
export function isLargeWrite({ context, call, plan, current, bytes }: Write): boolean {
  const { definition } = call;
  return plan.way !== undefined && context.kinds.large.takes(definition, bytes + (current?.value.byteLength ?? 0));
}

/** The stage. Throws the refusal of the write. */
export const largeDraft: Stage = async (write) => {
  const { call, context, warnings } = write;
  const draft = await context.kinds.large.draft(call.definition, await attemptOf(write), {
    signal: call.request.signal,
    flow: call.request.flow,
    warn: (text) => warnings.push(text),
    answer: (question) => answerQuestion(write, question),
  });
  write.key = draft.key;
  write.isNameMade = draft.isNameMade;
  write.object = named({ name: draft.name });
  settle(write, draft);
  return undefined;
};

function settle(write: Write, { change, value, selectable }: WriteDraft): void {
  const { call, store, options } = write;
  const { definition } = call;
  const bytes = value && Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (change === 'none' || bytes === undefined) {
    write.change = { type: 'none' };
    return;
  }
  const { labels, fields, owned } = recordOf(selectable && decodeJson(selectable));
  const made = new WrittenObject(definition, layoutOf(definition), {
    value: bytes,
    labels: labels === undefined ? undefined : textsOf(labels),
    fields: textsOf(fields),
    owned: owned === true,
  });
  if (change === 'delete') {
    write.change = { type: 'delete' };
    write.removed = made;
    return;
  }
  if (!options.dryRun) store.announce(write.key, made);
  write.change = { type: 'put', made };
}

async function attemptOf({ call, plan, key, current, store }: Write): Promise<WriteAttempt> {
  const { request, path, definition } = call;
  const { group, version, plural } = definition.resource;
  if (plan.way === undefined) throw new TypeError('a write without a way');
  return {
    way: plan.way,
    resource: { group, version, plural },
    path,
    route: request.route,
    query: request.query,
    contentType: request.header('content-type'),
    userAgent: request.header('user-agent'),
    user: request.user,
    body: await request.body(),
    key,
    current: current?.value,
    currentRevision: current?.modRevision ?? 0n,
    isStale: current !== undefined && isStaleEntry(current),
    now: store.clock.now(),
    uid: store.newUid(),
    audit: request.audit === undefined ? 'nothing' : request.audit.takesRequest ? 'object' : 'name',
  };
}

function named(metadata: KubeObject['metadata']): KubeObject {
  return { apiVersion: '', kind: '', metadata };
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker sends the labels of an object that is valid
  return recordOf(value) as Readonly<Record<string, string>>;
}
