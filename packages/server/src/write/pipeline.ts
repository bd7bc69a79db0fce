/** A write on one page: the stages of every verb, by name and in order. Start here. */

import { MEDIA_TYPE } from '@listwatch/api';
import { extended } from '@listwatch/api/values';
import type { KubeObject } from '@listwatch/rules/internal';
import type { Revision } from '@listwatch/storage';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { WriteWay } from '../contract/large-work.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { applyPlan } from './body/applied-object.ts';
import { requirePatchType } from './body/patch-document.ts';
import { patchPlan } from './body/patched-object.ts';
import { mediaTypeOf } from './body/request-body.ts';
import { charge } from './charge.ts';
import { commit } from './commit.ts';
import { complete } from './complete.ts';
import { decode } from './decode.ts';
import { fill } from './default.ts';
import { encode } from './encode.ts';
import { isLargeWrite, largeDraft } from './large/large-draft.ts';
import { merge } from './merge.ts';
import { mutate } from './mutate.ts';
import { own } from './own.ts';
import type { PatchView } from './owners/patch-view.ts';
import { place } from './place.ts';
import { read } from './read.ts';
import { review } from './review.ts';
import { validate } from './validate.ts';
import { type Stage, Write, type WritePlan } from './write.ts';

/** From the object that the client wants to the bytes to commit. Dry runs and custom kinds run the same stages. */
const TO_ENCODE = [fill, own, mutate, complete, validate, review, charge, encode] as const;

/** All patch types, and changes that the server itself makes: `merge` calls the `next` of the plan. */
const CHANGE: readonly Stage[] = [merge, ...TO_ENCODE];

/** The stages between `place` and `commit`. For a large write they run in the worker (`large/`). */
export const DRAFTS: Readonly<Record<WriteWay, readonly Stage[]>> = {
  /** POST of an object. */
  create: [decode, ...TO_ENCODE],
  /** PUT of an object, or of a subresource that is a part of it. */
  update: [decode, merge, ...TO_ENCODE],
  patch: CHANGE,
  'scale-update': CHANGE,
  'scale-patch': CHANGE,
};

/** Creates the object in the body: 201. */
export const create: Verb = (context, call) =>
  reportingStorage(async () => {
    const write = new Write(context, call, { isCreate: true, way: 'create' });
    await read(write);
    const { served, object } = await written(DRAFTS.create, write);
    return answerObject(context, call, served, { status: 201, object });
  });

/** Replaces the object: 200, or 201 when the kind lets an update create it. */
export const update: Verb = (context, call) =>
  reportingStorage(async () => {
    const write = new Write(context, call, { way: 'update' });
    await read(write);
    await place(write);
    const { served, created, object } = await written(DRAFTS.update, write);
    return answerObject(context, call, served, { status: created ? 201 : 200, object });
  });

/** Patches the object: 200, or 201 when an apply creates it. */
export const patch: Verb = (context, call) =>
  reportingStorage(async () => {
    const { served, created, object } = await patchObject(context, call);
    return answerObject(context, call, served, { status: created ? 201 : 200, object });
  });

/** The object after a write. */
export interface UpdatedObject {
  readonly served: Buffer;
  readonly created: boolean;
  /** The same decoded, where this thread has encoded it. */
  readonly object?: KubeObject | undefined;
}

/**
 * Applies the patch in the body to the object that the call names, or to a form of it. After a lost compare the patch
 * is applied again to the newest state; a resourceVersion in the patch then causes a 409.
 */
async function patchObject(context: VerbContext, call: ResourceCall): Promise<UpdatedObject> {
  return changeObject(context, call, { ...(await patchPlanOf(context, call)), way: 'patch' });
}

/** How the patch in the body changes the object, or a form of it. */
export async function patchPlanOf(context: VerbContext, call: ResourceCall, view?: PatchView): Promise<WritePlan> {
  const { definition, request } = call;
  const mediaType = mediaTypeOf(request.header('content-type'));
  requirePatchType(mediaType, definition);
  const bytes = await request.body();
  const isApply = mediaType === MEDIA_TYPE.applyPatch;
  return isApply ? applyPlan(context, call, bytes, view) : patchPlan(context, call, { mediaType, bytes }, view);
}

/** Changes the object that the call names. Writes nothing when the object stays the same. */
export async function changeObject(context: VerbContext, call: ResourceCall, plan: WritePlan): Promise<UpdatedObject> {
  const write = new Write(context, call, plan);
  await place(write);
  return written(CHANGE, write);
}

async function written(draft: readonly Stage[], write: Write): Promise<UpdatedObject> {
  await run(isLargeWrite(write) ? [largeDraft, commit] : [...draft, commit], write);
  const { change, current, revision, store, call } = write;
  const created = current === undefined;
  // A removed object, and the result of a dry run, are shown at their previous version; a new object has none.
  const version = change.type === 'put' && revision !== undefined ? revision : current?.modRevision;
  if (change.type === 'put' && version !== undefined) {
    const served = await store.served(change.made, version);
    // Custom kinds have no protobuf, and stores that convert them serve other bytes.
    const isNeeded = call.form.mediaType === MEDIA_TYPE.protobuf && call.definition.custom === undefined;
    return { served, created, object: isNeeded && change.object ? withVersion(change.object, version) : undefined };
  }
  const value = change.type === 'put' ? change.made.value : (write.removed?.value ?? current?.value ?? Buffer.alloc(0));
  const served = version === undefined ? Buffer.from(value) : layoutOf(call.definition).withRevision(value, version);
  return { served, created };
}

function withVersion(object: KubeObject, version: Revision): KubeObject {
  return { ...object, metadata: extended(object.metadata, { resourceVersion: String(version) }) };
}

/**
 * Runs the stages, and the only retry loop of a write: after a lost compare, a taken name or a taken address `commit`
 * returns the stage to retry from. Retries are not limited, except by the request's lifetime: one of several writers
 * always succeeds.
 */
export async function run(stages: readonly Stage[], write: Write): Promise<void> {
  const { call, warnings } = write;
  const afterPlace = stages.indexOf(place) + 1;
  const marks: number[] = [];
  let at = 0;
  try {
    for (;;) {
      const stage = stages[at];
      if (stage === undefined) return;
      marks[at] = warnings.length;
      const turn = call.request.turn?.();
      if (turn !== undefined) await turn;
      let back: Stage | undefined;
      try {
        const result = stage(write);
        back = result instanceof Promise ? await result : result;
      } catch (error) {
        // The refusal may be due to a stale cache entry: read the store and try again. Never after a commit: the change may have been
        // made although its outcome is unknown, and a second one would take the first for somebody else's.
        if (stage === commit || !write.isCached || !(await write.refresh())) throw error;
        back = stages[afterPlace];
      }
      if (back === undefined) {
        at += 1;
        continue;
      }
      call.request.throwIfAborted();
      write.settle({ type: 'nothing' });
      // `largeDraft` replaces several stages: a retry from any of them (index -1) runs it again.
      at = back === place ? afterPlace : Math.max(stages.indexOf(back), afterPlace);
      // Drop the warnings of the stages that run again.
      warnings.length = marks[at] ?? 0;
    }
  } finally {
    write.settle({ type: 'nothing' });
    for (const text of warnings) call.warn(text);
  }
}
