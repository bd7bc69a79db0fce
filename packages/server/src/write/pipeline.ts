/** A write on one page: the stages of every verb, by name and in order. Start here. */

import { MEDIA_TYPE } from '@listwatch/api';
import { answerObject } from '../answer/answer-object.ts';
import { reportingStorage } from '../answer/storage-failure.ts';
import type { ResourceCall, Verb, VerbContext } from '../contract/verb.ts';
import { layoutOf } from '../stored/stored-object.ts';
import { applyPlan } from './body/applied-object.ts';
import { requirePatchType } from './body/patch-document.ts';
import { patchPlan } from './body/patched-object.ts';
import { mediaTypeOf } from './body/request-body.ts';
import { charge } from './charge.ts';
import { commit } from './commit.ts';
import { decode } from './decode.ts';
import { fill } from './default.ts';
import { encode } from './encode.ts';
import { merge } from './merge.ts';
import { mutate } from './mutate.ts';
import { own } from './own.ts';
import type { PatchView } from './owners/patch-view.ts';
import { place } from './place.ts';
import { prepare } from './prepare.ts';
import { read } from './read.ts';
import { review } from './review.ts';
import { validate } from './validate.ts';
import { type Stage, Write, type WritePlan } from './write.ts';

/** From what the client asks for to the commit. Dry runs and custom kinds go through the same stages. */
const TO_COMMIT = [fill, own, prepare, mutate, validate, review, charge, encode, commit] as const;

/** POST of an object. */
const CREATE: readonly Stage[] = [read, decode, ...TO_COMMIT];
/** PUT of an object, or of a subresource that is a part of it. */
const UPDATE: readonly Stage[] = [read, decode, place, merge, ...TO_COMMIT];
/** The four patches, and changes that the server itself makes to an object: what is merged differs. */
const CHANGE: readonly Stage[] = [place, merge, ...TO_COMMIT];

/** Creates the object in the body: 201. */
export const create: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'create' }, async () => {
    const { served } = await written(CREATE, new Write(context, call, { isCreate: true }));
    return answerObject(context, call, served, { status: 201 });
  });

/** Replaces the object: 200, or 201 when the kind lets an update create it. */
export const update: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'update' }, async () => {
    const { served, created } = await written(UPDATE, new Write(context, call));
    return answerObject(context, call, served, { status: created ? 201 : 200 });
  });

/** Patches the object: 200, or 201 when an apply creates it. */
export const patch: Verb = (context, call) =>
  reportingStorage({ resource: call.definition.resource, operation: 'update' }, async () => {
    const { served, created } = await patchObject(context, call);
    return answerObject(context, call, served, { status: created ? 201 : 200 });
  });

/** The object after a write. */
export interface UpdatedObject {
  readonly served: Buffer;
  readonly created: boolean;
}

/**
 * Applies the patch in the body to the object that the call names, or to a form of it. After a lost compare it is applied to the
 * newest state again; a resourceVersion in the patch ties it to one state.
 */
export async function patchObject(context: VerbContext, call: ResourceCall, view?: PatchView): Promise<UpdatedObject> {
  const { definition, request } = call;
  const mediaType = mediaTypeOf(request.header('content-type'));
  requirePatchType(mediaType, definition);
  const bytes = await request.body();
  const isApply = mediaType === MEDIA_TYPE.applyPatch;
  const plan = isApply ? applyPlan(context, call, bytes, view) : patchPlan(context, call, { mediaType, bytes }, view);
  return changeObject(context, call, plan);
}

/** Changes the object that the call names. A change that changes nothing writes nothing. */
export function changeObject(context: VerbContext, call: ResourceCall, plan: WritePlan): Promise<UpdatedObject> {
  return written(CHANGE, new Write(context, call, plan));
}

async function written(stages: readonly Stage[], write: Write): Promise<UpdatedObject> {
  await run(stages, write);
  const { change, current, revision, store, call } = write;
  const created = current === undefined;
  // A removed object, and the result of a dry run, are shown at their previous version; a new object has none.
  const version = change.type === 'put' && revision !== undefined ? revision : current?.modRevision;
  if (change.type === 'put' && version !== undefined)
    return { served: await store.served(change.made, version), created };
  const value = change.type === 'put' ? change.made.value : (write.removed?.value ?? current?.value ?? Buffer.alloc(0));
  const served = version === undefined ? Buffer.from(value) : layoutOf(call.definition).withRevision(value, version);
  return { served, created };
}

/**
 * Runs the stages. The one place where a write goes back: `commit` says to which stage after a lost compare, a taken name or a
 * taken address. Retries end with the request only: of several writers one always succeeds.
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
      let back: Stage | undefined;
      try {
        back = await stage(write);
      } catch (error) {
        // What is refused because of an old entry is decided again.
        if (!write.isCached || !(await write.refresh())) throw error;
        back = stages[afterPlace];
      }
      if (back === undefined) {
        at += 1;
        continue;
      }
      call.request.throwIfAborted();
      write.settle({ type: 'nothing' });
      at = back === place ? afterPlace : stages.indexOf(back);
      // Nothing is warned of twice.
      warnings.length = marks[at] ?? 0;
    }
  } finally {
    write.settle({ type: 'nothing' });
    for (const text of warnings) call.warn(text);
  }
}
