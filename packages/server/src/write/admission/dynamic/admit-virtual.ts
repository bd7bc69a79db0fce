/** Admission by policies and webhooks of objects that are never stored: reviews, evictions, bindings, the options of connections. */

import type { KubeObject } from '@listwatch/rules/internal';
import type { ResourceCall, VerbContext } from '../../../contract/verb.ts';
import type { ResourceDefinition } from '../../../kinds/resource-definition.ts';
import type { WriteOptions } from '../../body/write-options.ts';
import { writeOptionsObject } from './options-object.ts';
import { requestHead, requestParts } from './request-head.ts';

/** The object to admit, with the options of its request. */
interface VirtualObject {
  readonly object: KubeObject;
  readonly options: Pick<WriteOptions, 'dryRun'>;
}

/** Admits the creation of a virtual object. Returns the object to continue with. Throws the refusal. */
export async function admitVirtual(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
  { object, options: { dryRun } }: VirtualObject,
): Promise<KubeObject> {
  const name = call.path.name || object.metadata.name || '';
  const head = requestHead(call, 'CREATE', name);
  const options = (): ReturnType<typeof writeOptionsObject> => writeOptionsObject('CreateOptions', call.request.query);
  const admitted = await context.admission.admit(head, () => ({
    ...head,
    ...requestParts(context, call),
    kind,
    name,
    object,
    old: undefined,
    options: options(),
    dryRun,
  }));
  return admitted ?? object;
}

/** Admits a connection. `object`: its options. Returns the options to continue with. Throws the refusal. */
export async function admitConnection(
  context: VerbContext,
  call: ResourceCall,
  kind: ResourceDefinition,
  object: () => KubeObject,
): Promise<KubeObject | undefined> {
  const head = requestHead(call, 'CONNECT', call.path.name);
  return context.admission.admit(head, () => ({
    ...head,
    ...requestParts(context, call),
    kind,
    name: call.path.name,
    object: object(),
    old: undefined,
    options: undefined,
    dryRun: false,
  }));
}
