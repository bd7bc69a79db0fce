/** Checks the types in the expressions of ValidatingAdmissionPolicies and shows what is wrong in their status. */

import { setImmediate } from 'node:timers/promises';
import { type ApiObject, isNotFound, type Resource, resource } from '@listwatch/api';
import { type JsonRecord, recordOf } from '@listwatch/api/values';
import { typeWarnings } from '@listwatch/rules/internal';
import type { BuiltInController, ControllerSurroundings } from '../built-in-controller.ts';
import { runController } from '../run-controller.ts';
import { CheckedTypes } from './checked-types.ts';

const NAME = 'validatingadmissionpolicy-status-controller';
/** The name under which kube-controller-manager owns the status. */
const MANAGER = 'validatingadmissionpolicy-status';

interface ValidatingPolicy extends ApiObject {
  readonly spec?: JsonRecord;
  readonly status?: { readonly observedGeneration?: number };
}

const policies: Resource<ValidatingPolicy> = resource({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingadmissionpolicies',
  kind: 'ValidatingAdmissionPolicy',
  namespaced: false,
});

/** A policy is checked once for each generation. A kind that is defined later does not change the status. */
export function validatingPolicyStatus(): BuiltInController {
  return {
    name: NAME,
    signalsReady: true,
    run: (surroundings) => {
      const types = new CheckedTypes(surroundings.cluster, surroundings.signal);
      return runController<ValidatingPolicy>(surroundings, {
        name: NAME,
        for: policies,
        reconcile: async ({ object }) => {
          if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
          const generation = object.metadata.generation ?? 0;
          if (generation > (object.status?.observedGeneration ?? 0))
            await settle(surroundings, types, object, generation);
        },
      });
    },
  };
}

async function pause(): Promise<void> {
  await setImmediate();
}

async function settle(
  { cluster, signal }: ControllerSurroundings,
  types: CheckedTypes,
  { metadata: { name, uid = '' }, spec }: ValidatingPolicy,
  generation: number,
): Promise<void> {
  const own = recordOf(spec);
  const warnings = await typeWarnings(own, await types.kinds(own), { params: await types.params(own), pause });
  const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings };
  // With the uid it cannot meet another policy that got the name meanwhile.
  const applied = { metadata: { name, uid }, status: { observedGeneration: generation, typeChecking } };
  try {
    await cluster.apply(policies, applied, { fieldManager: MANAGER, force: true, subresource: 'status', signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
