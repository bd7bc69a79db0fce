/** Mutating admission: plugins, policies and webhooks. */

import { distinctOwners, inRequestNamespace } from '@listwatch/rules/internal';
import { WriteInPass } from './admission/dynamic/write-in-pass.ts';
import type { Write } from './write.ts';

/** Requires for a new object that neither its namespace nor its CRD is being deleted. Throws the refusal. */
export async function mutate(write: Write): Promise<undefined> {
  const { call, plan, options, prepared, old, warnings } = write;
  const { admission } = write.context;
  if (old === undefined) {
    write.held = await admission.requirePlace(call, write.asked, options.dryRun);
    if (plan.isCreate !== true) await admission.requireCreate(call);
  }
  // No policy and no webhook sees a change that the server itself makes.
  const dynamic = plan.isOwn === true ? undefined : () => new WriteInPass(write, 'mutating');
  const mutated = await admission.mutate(write.admissionRequest(prepared), dynamic);
  if (mutated === prepared) {
    write.admitted = prepared;
    return;
  }
  const distinct = distinctOwners(inRequestNamespace(call, mutated), 'after mutating admission happens');
  warnings.push(...distinct.warnings);
  // Admission appends fields at the end: bring them into the order of the kind.
  write.admitted = call.definition.strategy.canonical(distinct.object, prepared);
}
