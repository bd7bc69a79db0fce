/** Answers the questions of an attempt in the worker, on the thread that has the caches and the store. */

import { defined } from '@listwatch/api/values';
import type { AdmissionRequest, KubeObject } from '@listwatch/rules/internal';
import { parseObject } from '../../cache/cached-object.ts';
import type { WriteAnswers, WriteQuestion } from '../../contract/large-work.ts';
import { encodeJson } from '../../stored/exact-json.ts';
import { WriteInPass } from '../admission/dynamic/write-in-pass.ts';
import type { Write } from '../write.ts';

/** Throws the refusal of the write. The write keeps the reservations of a question and releases them at its end. */
export async function answerQuestion(
  write: Write,
  question: WriteQuestion,
): Promise<WriteAnswers[WriteQuestion['type']]> {
  const { call, context, options } = write;
  const { admission } = context;
  switch (question.type) {
    case 'sent': {
      const { metadata, object } = question;
      await call.request.audit?.sent(
        metadata,
        object && Buffer.from(object.buffer, object.byteOffset, object.byteLength),
      );
      return {};
    }
    case 'place': {
      const { name, generateName } = question;
      const object = { apiVersion: '', kind: '', metadata: defined({ name, generateName }) };
      write.held = await admission.requirePlace(call, object, options.dryRun);
      return {};
    }
    case 'may-create':
      await admission.requireCreate(call);
      return {};
    case 'cached':
      return { found: admission.reads.cached(question) };
    case 'namespace':
      return { found: await admission.reads.namespace(question.name) };
    case 'pods':
      return admission.reads.pods(question.namespace, question.after);
    case 'authorize':
      return { decision: await admission.reads.authorize(question.attributes) };
    case 'granting': {
      const { namespace, wanted } = question;
      return { verdict: await admission.reads.granting(call.request.user, namespace, wanted) };
    }
    case 'allocate': {
      // A restarted attempt asks again: release the reservation of its first question.
      write.settle({ type: 'nothing' });
      write.allocation = await admission.allocate(requestOf(write, question));
      const object = write.allocation?.object;
      // A dry run never commits: release its reservation now.
      if (options.dryRun) write.settle({ type: 'nothing' });
      return { object: object && bytesOf(object) };
    }
    case 'concerns':
      return { isConcerned: concerned(write, question.pass) };
    case 'mutate': {
      const admitted = new WriteInPass(write, 'mutating');
      const request = admitted.requestOf(objectOf(question.object), question.old && objectOf(question.old));
      const object = await admission.mutateRound(admitted, request, question.round);
      return { object: object === request.object || object === undefined ? undefined : bytesOf(object) };
    }
    case 'validate':
      await admission.validateSteps(
        new WriteInPass(write, 'validating').requestOf(
          objectOf(question.object),
          question.old && objectOf(question.old),
        ),
      );
      return {};
    case 'has-quotas':
      return { hasQuotas: admission.reads.hasQuotas(question.namespace) };
    case 'charge': {
      const request = requestOf(write, question);
      await admission.charge(request, write.charged);
      if (!options.dryRun) write.charged = request;
      return {};
    }
  }
}

function concerned(write: Write, pass: 'mutating' | 'validating'): boolean {
  return write.plan.isOwn !== true && write.context.admission.concerns(new WriteInPass(write, pass).head, pass);
}

function bytesOf(object: KubeObject): Uint8Array {
  return Buffer.from(encodeJson(object));
}

function requestOf(
  write: Write,
  { object, old }: { readonly object: Uint8Array; readonly old: Uint8Array | undefined },
): AdmissionRequest {
  return write.admissionRequest(objectOf(object), old && objectOf(old));
}

function objectOf(bytes: Uint8Array): KubeObject {
  return parseObject(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
