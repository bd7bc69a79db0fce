/** An attempt of a large write in the worker: the stages are those of small writes. */

import type { ComputeJob, JobContext } from '../../compute/compute-job.ts';
import type { AnswerForm } from '../../contract/answer-form.ts';
import type { ApiRequest } from '../../contract/api-request.ts';
import type { AuditNotes } from '../../contract/audit.ts';
import type { WriteAttempt, WriteDraft } from '../../contract/large-work.ts';
import { NO_LARGE_WORK } from '../../contract/large-work.ts';
import type { ObjectStore, ResourceCall, VerbContext } from '../../contract/verb.ts';
import { encodeJson } from '../../stored/exact-json.ts';
import type { ShownEntry } from '../../stored/shown-entry.ts';
import { readBody } from '../body/request-body.ts';
import { readWriteOptions } from '../body/write-options.ts';
import { kindOwnership } from '../owners/kind-ownership.ts';
import { DRAFTS, patchPlanOf } from '../pipeline.ts';
import { scalePatchPlan, scaleUpdatePlan } from '../subresources/scale-plan.ts';
import { Write, type WritePlan } from '../write.ts';
import { AskedAdmission } from './asked-admission.ts';
import { workerKinds } from './worker-kinds.ts';

/** The input: the definition of a custom kind is a shared value. */
export type WriteJobInput = WriteAttempt & { readonly definition: string | undefined };

/** The job. */
export const writeJob: ComputeJob<WriteJobInput, WriteDraft> = {
  async run(attempt, job) {
    const { definition, find } = await workerKinds(attempt.resource, attempt.definition, job);
    const store = attemptStore(attempt);
    const context: VerbContext = {
      store,
      admission: new AskedAdmission(job.ask),
      kinds: {
        find,
        storeOf: () => store,
        ownershipOf: kindOwnership({ clock: store.clock, find }),
        answer: unexpected,
        large: NO_LARGE_WORK,
      },
    };
    const request = attemptRequest(attempt, askedNotes(attempt, job.ask));
    const call: ResourceCall = { request, path: attempt.path, definition, form: FORM, warn: job.warn };
    const write = new Write(context, call, await planOf(context, call, attempt.way));
    if (attempt.way === 'create' || attempt.way === 'update') {
      write.body = await readBody(request);
      write.options = readWriteOptions(attempt.way === 'create' ? 'CreateOptions' : 'UpdateOptions', request.query);
    }
    const { key, current: value, currentRevision: modRevision, isStale } = attempt;
    write.key = key;
    const current: ShownEntry | undefined = value && { key, value, modRevision, isStale };
    write.current = current;
    return drafted(write, attempt.way, job);
  },
};

async function drafted(write: Write, way: WriteAttempt['way'], { warn }: JobContext): Promise<WriteDraft> {
  try {
    for (const stage of DRAFTS[way]) await stage(write);
  } finally {
    for (const text of write.warnings) warn(text);
  }
  const { change, removed, isNameMade, object, key } = write;
  const { name = '' } = object.metadata;
  const facts = { change: change.type, key, name, isNameMade };
  if (change.type !== 'put') return { ...facts, value: removed?.value, selectable: undefined };
  const { value, labels, fields, owned } = change.made;
  return { ...facts, value, selectable: Buffer.from(encodeJson({ labels, fields, owned })) };
}

async function planOf(context: VerbContext, call: ResourceCall, way: WriteAttempt['way']): Promise<WritePlan> {
  switch (way) {
    case 'create':
      return { isCreate: true };
    case 'update':
      return {};
    case 'patch':
      return patchPlanOf(context, call);
    case 'scale-update':
      return scaleUpdatePlan(context, call);
    case 'scale-patch':
      return scalePatchPlan(context, call);
  }
}

/** A store without reads and writes: the main thread does both. */
function attemptStore({ now, uid }: WriteAttempt): ObjectStore {
  return {
    get engine(): never {
      throw unexpected();
    },
    clock: { now: () => now, after: unexpected },
    newUid: () => uid,
    cached: () => undefined,
    announce: () => undefined,
    served: unexpected,
  };
}

/** Forwards the sent object to the audit log of the main thread; other audit notes do not occur in the worker. */
function askedNotes({ audit }: WriteAttempt, ask: JobContext['ask']): AuditNotes | undefined {
  if (audit === 'nothing') return undefined;
  return {
    takesRequest: audit === 'object',
    takesResponse: false,
    async sent(metadata, object) {
      await ask({ type: 'sent', metadata, object });
    },
    requestObject: unexpected,
    patch: unexpected,
    responseObject: unexpected,
    status: unexpected,
    annotate: unexpected,
    deprecated: unexpected,
  };
}

function attemptRequest(
  { route, query, user, body, contentType, userAgent }: WriteAttempt,
  audit: AuditNotes | undefined,
): ApiRequest {
  const headers: Readonly<Record<string, string | undefined>> = {
    'content-type': contentType,
    'user-agent': userAgent,
  };
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return {
    route,
    method: route.method,
    path: route.rawPath,
    query,
    user,
    protocol: 'loopback',
    audit,
    signal: NEVER.signal,
    throwIfAborted: () => undefined,
    header: (name) => headers[name],
    rawHeaders: [],
    upgrade: undefined,
    liftLimits: () => undefined,
    body: async () => bytes,
  };
}

const NEVER = new AbortController();
/** Unused: the main thread answers the request. */
const FORM: AnswerForm = { mediaType: 'application/json', as: 'object', metaVersion: 'v1', pretty: false };

function unexpected(): never {
  throw new TypeError('a draft needs no store and no clock');
}
