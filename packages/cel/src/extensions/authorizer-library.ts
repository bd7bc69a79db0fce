/**
 * `authorizer.group(..).resource(..).check(..)`: what expressions of admission may ask about rights. It declares the functions;
 * there are no values of its types yet, so that no call gets to run.
 */
import type { CelLibrary, Overload } from '../standard/cel-library.ts';
import { BOOL, type CelType, objectType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import { type Costs, functions, method } from './declare.ts';

/** The type of `authorizer`. */
export const AUTHORIZER_TYPE: CelType = objectType('kubernetes.authorization.Authorizer');
/** The type of `authorizer.requestResource`. */
export const RESOURCE_CHECK_TYPE: CelType = objectType('kubernetes.authorization.ResourceCheck');

const PATH_CHECK = objectType('kubernetes.authorization.PathCheck');
const GROUP_CHECK = objectType('kubernetes.authorization.GroupCheck');
const DECISION = objectType('kubernetes.authorization.Decision');

/** Two checks in an expression are affordable. */
const CHECK_COST = 350_000;
const CHECK: Costs = {
  cost: () => CHECK_COST,
  estimate: () => ({ cost: { min: CHECK_COST, max: CHECK_COST } }),
};

function declared(id: string, args: readonly CelType[], result: CelType, costs?: Costs): Overload {
  return method(id, args, result, () => new CelError('authorizer is not available'), costs);
}

/** The library of rights. */
export const authorizerLibrary: CelLibrary = {
  name: 'kubernetes.authz',
  functions: functions({
    path: [declared('authorizer_path', [AUTHORIZER_TYPE, STRING], PATH_CHECK)],
    group: [declared('authorizer_group', [AUTHORIZER_TYPE, STRING], GROUP_CHECK)],
    serviceAccount: [declared('authorizer_serviceaccount', [AUTHORIZER_TYPE, STRING, STRING], AUTHORIZER_TYPE)],
    resource: [declared('groupcheck_resource', [GROUP_CHECK, STRING], RESOURCE_CHECK_TYPE)],
    subresource: [declared('resourcecheck_subresource', [RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE)],
    namespace: [declared('resourcecheck_namespace', [RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE)],
    name: [declared('resourcecheck_name', [RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE)],
    fieldSelector: [declared('authorizer_fieldselector', [RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE)],
    labelSelector: [declared('authorizer_labelselector', [RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE)],
    check: [
      declared('pathcheck_check', [PATH_CHECK, STRING], DECISION, CHECK),
      declared('resourcecheck_check', [RESOURCE_CHECK_TYPE, STRING], DECISION, CHECK),
    ],
    errored: [declared('decision_errored', [DECISION], BOOL)],
    error: [declared('decision_error', [DECISION], STRING)],
    allowed: [declared('decision_allowed', [DECISION], BOOL)],
    reason: [declared('decision_reason', [DECISION], STRING)],
  }),
};
