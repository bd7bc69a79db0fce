/** Admission that changes the object: plugins, addresses that the server allocates, the generation. */

import type { KubeObject } from '@listwatch/rules/internal';
import { subresourceOf } from './prepare.ts';
import type { Write } from './write.ts';

/** A new object must have a place: an open namespace, and a kind that is still defined. Throws the refusal. */
export async function mutate(write: Write): Promise<undefined> {
  const { call, plan, options, prepared, old } = write;
  const { admission } = write.context;
  if (old === undefined) {
    write.held = await admission.requirePlace(call, write.asked, options.dryRun);
    if (plan.isCreate !== true) await admission.requireCreate(call);
  }
  const mutated = await admission.mutate(write.admissionRequest(prepared));
  // Added fields are behind all others: the stored form has them in the order of the kind.
  const admitted = mutated === prepared ? prepared : call.definition.strategy.canonical(mutated);
  write.allocation = admission.allocate(write.admissionRequest(admitted));
  write.object = withGeneration(write, write.allocation?.object ?? admitted);
  // Nobody commits what a dry run has reserved.
  if (options.dryRun) write.settle({ type: 'nothing' });
}

/** A change of what is wanted raises the generation. */
function withGeneration({ old, call }: Write, object: KubeObject): KubeObject {
  if (old === undefined) return object;
  const { strategy } = call.definition;
  const { subresource } = call.path;
  const counts = subresource === '' || subresourceOf(strategy, subresource)?.raisesGeneration === true;
  if (!counts || strategy.raisesGeneration?.(object, old) !== true) return object;
  return { ...object, metadata: { ...object.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
}
