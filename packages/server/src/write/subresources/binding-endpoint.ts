/** POST on `pods/{name}/binding` and on the old `bindings`: a scheduler assigns a Pod to a node. */

import {
  badRequest,
  conflict,
  type FieldError,
  fieldErrorsText,
  fieldNotSupported,
  fieldRequired,
  notFound,
  unknownError,
} from '@listwatch/api';
import { type JsonRecord, listOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import {
  builtInKind,
  type KubeObject,
  requireStorableSize,
  virtualKind,
  wholeSeconds,
} from '@listwatch/rules/internal';
import { reportingStorage } from '../../answer/storage-failure.ts';
import type { ApiResponse } from '../../contract/api-response.ts';
import type { ResourceCall, VerbContext } from '../../contract/verb.ts';
import type { VirtualEndpoint } from '../../contract/virtual-endpoint.ts';
import type { ResourceDefinition } from '../../kinds/resource-definition.ts';
import { requestedKey } from '../../stored/requested-key.ts';
import { storedObject, writtenObject } from '../../stored/stored-object.ts';
import { admitVirtual } from '../admission/dynamic/admit-virtual.ts';
import { commit } from '../commit.ts';
import { run } from '../pipeline.ts';
import { place } from '../place.ts';
import { readVirtualRequest } from '../reviews/virtual-request.ts';
import { type Stage, Write } from '../write.ts';
import { successAnswer } from './success-answer.ts';

/** The endpoint `pods/{name}/binding`. */
export const podBindingEndpoint: VirtualEndpoint = {
  definition: builtInKind('core/v1.Pod'),
  hasTable: false,
  answer: bindTo((call) => call.path.name),
};

/** The endpoint `bindings`, which takes the name of the Pod from the body. */
export const bindingsEndpoint: VirtualEndpoint = {
  definition: virtualKind('core/v1.Binding'),
  hasTable: false,
  answer: bindTo((_call, { metadata }) => metadata.name ?? ''),
};

function bindTo(nameOf: (call: ResourceCall, binding: KubeObject) => string): VirtualEndpoint['answer'] {
  return (context, call) => reportingStorage(() => bind(context, call, nameOf));
}

async function bind(
  context: VerbContext,
  call: ResourceCall,
  nameOf: (call: ResourceCall, binding: KubeObject) => string,
): Promise<ApiResponse> {
  const kind = virtualKind('core/v1.Binding');
  const { object, options } = await readVirtualRequest(context, call, kind);
  await context.admission.requirePlace(call, object, true);
  const pods = builtInKind('core/v1.Pod');
  await pods.load();
  const name = nameOf(call, object);
  const write = new Write(context, { ...call, definition: pods, path: { ...call.path, name } }, { options });
  const labelled = await admitted(context, write, kind, object);
  const binding = await admitVirtual(context, call, kind, { object: labelled, options });
  const key = requestedKey(write.call);
  if (binding.metadata.name !== name) throw badRequest('name in URL does not match name in Binding object');
  requireTarget(binding);
  const assign: Stage = async ({ current, store }) => {
    if (current === undefined) throw notFound(pods.resource, name);
    const old = storedObject(pods, current);
    requirePreconditions(key, binding, old);
    const made = writtenObject(pods, pods.strategy.canonical(boundPod(old, binding, store.clock.now())));
    if (!options.dryRun) {
      requireStorableSize(key, made.value.byteLength);
      store.announce(key, made);
    }
    write.change = { type: 'put', made };
    return undefined;
  };
  await run([place, assign, commit], write);
  return successAnswer(call);
}

/** The Binding after admission: a plugin may add labels for the Pod. */
async function admitted(
  { admission }: VerbContext,
  write: Write,
  { resource, data }: ResourceDefinition,
  binding: KubeObject,
): Promise<KubeObject> {
  const request = { ...write.admissionRequest(binding), resource, type: data.type, subresource: '' };
  return admission.mutate(request, undefined);
}

/** Kubernetes answers these with a 500, and so must we: schedulers only look at the code. */
function requireTarget(binding: KubeObject): void {
  const target = recordOf(binding['target']);
  const kind = textOf(target['kind']);
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(fieldNotSupported('target.kind', kind, ['Node', '<empty>']));
  if (textOf(target['name']) === '') errors.push(fieldRequired('target.name'));
  if (errors.length > 0) throw unknownError(fieldErrorsText(errors));
}

function requirePreconditions(key: string, binding: KubeObject, pod: KubeObject): void {
  const { name = '' } = pod.metadata;
  const check = (field: string, wanted: string | undefined, actual = ''): void => {
    if (!wanted || wanted === actual) return;
    const why = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${actual}`;
    const facts = `Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
    throw conflict({ group: '', plural: 'pods' }, name, `StorageError: invalid object, ${facts}`);
  };
  check('UID', binding.metadata.uid, pod.metadata.uid);
  check('ResourceVersion', binding.metadata.resourceVersion, pod.metadata.resourceVersion);
}

/** The Pod on its node. Throws the 409 when it cannot get one any more. */
function boundPod(pod: KubeObject, binding: KubeObject, now: number): KubeObject {
  const { name = '', deletionTimestamp, annotations, labels } = pod.metadata;
  const spec = recordOf(pod['spec']);
  const refuse = (why: string): Error => conflict({ group: '', plural: 'pods/binding' }, name, `pod ${name} ${why}`);
  if (deletionTimestamp !== undefined) throw refuse('is being deleted, cannot be assigned to a host');
  const nodeName = textOf(spec['nodeName']);
  if (nodeName !== '') throw refuse(`is already assigned to node ${JSON.stringify(nodeName)}`);
  if (listOf(spec['schedulingGates']).length > 0) throw refuse('has non-empty .spec.schedulingGates');
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...merged('annotations', annotations, binding.metadata.annotations),
      ...merged('labels', labels, binding.metadata.labels),
    },
    spec: { ...spec, nodeName: textOf(recordOf(binding['target'])['name']) },
    status: scheduled(recordOf(pod['status']), now),
  };
}

function merged(
  field: string,
  own: Readonly<Record<string, string>> | undefined,
  added: Readonly<Record<string, string>> | undefined,
): JsonRecord {
  return added === undefined ? {} : { [field]: { ...own, ...added } };
}

function scheduled(status: JsonRecord, now: number): JsonRecord {
  const others = recordsOf(status['conditions']).filter(({ type }) => type !== 'PodScheduled');
  const condition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: wholeSeconds(now),
  };
  return { ...status, conditions: [...others, condition] };
}
