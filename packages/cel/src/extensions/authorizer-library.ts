/** `authorizer.group(..).resource(..).check(..)`: what expressions of admission may ask about rights. */
import type { CallContext, CelLibrary, Overload } from '../standard/cel-library.ts';
import { BOOL, type CelType, STRING } from '../types/cel-type.ts';
import { CelError } from '../values/cel-error.ts';
import type { CelResult, CelValue } from '../values/cel-value.ts';
import {
  type AccessVerdict,
  AUTHORIZER_TYPE,
  AuthorizerValue,
  type CheckedResource,
  DECISION_TYPE,
  DecisionValue,
  GROUP_CHECK_TYPE,
  GroupCheckValue,
  PATH_CHECK_TYPE,
  PathCheckValue,
  RESOURCE_CHECK_TYPE,
  ResourceCheckValue,
} from './authorizer-values.ts';
import { type Costs, functions, method } from './declare.ts';

/** Two checks in an expression are affordable. */
const CHECK_COST = 350_000;
const CHECK: Costs = {
  cost: () => CHECK_COST,
  estimate: () => ({ cost: { min: CHECK_COST, max: CHECK_COST } }),
};

const NO_OVERLOAD = new CelError('no such overload');
/** A label of DNS: the names of namespaces. */
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** The names of service accounts. */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

type Arg = CelValue | CallContext | undefined;

/** The library of rights. */
export const authorizerLibrary: CelLibrary = {
  name: 'kubernetes.authz',
  functions: functions({
    path: [onAuthorizer('authorizer_path', PATH_CHECK_TYPE, pathCheck)],
    group: [onAuthorizer('authorizer_group', GROUP_CHECK_TYPE, (value, group) => new GroupCheckValue(value, group))],
    serviceAccount: [
      method(
        'authorizer_serviceaccount',
        [AUTHORIZER_TYPE, STRING, STRING],
        AUTHORIZER_TYPE,
        (value: Arg, namespace: Arg, name: Arg) => serviceAccount(value, namespace, name),
      ),
    ],
    resource: [
      method('groupcheck_resource', [GROUP_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE, (value: Arg, resource: Arg) =>
        resourceCheck(value, resource),
      ),
    ],
    subresource: [refined('resourcecheck_subresource', (subresource) => ({ subresource }))],
    namespace: [refined('resourcecheck_namespace', (namespace) => ({ namespace }))],
    name: [refined('resourcecheck_name', (name) => ({ name }))],
    fieldSelector: [refined('authorizer_fieldselector', (fieldSelector) => ({ fieldSelector }))],
    labelSelector: [refined('authorizer_labelselector', (labelSelector) => ({ labelSelector }))],
    check: [
      method('pathcheck_check', [PATH_CHECK_TYPE, STRING], DECISION_TYPE, check, CHECK),
      method('resourcecheck_check', [RESOURCE_CHECK_TYPE, STRING], DECISION_TYPE, check, CHECK),
    ],
    errored: [ofDecision('decision_errored', BOOL, ({ error }) => error !== '')],
    error: [ofDecision('decision_error', STRING, ({ error }) => error)],
    allowed: [ofDecision('decision_allowed', BOOL, ({ allowed }) => allowed)],
    reason: [ofDecision('decision_reason', STRING, ({ reason }) => reason)],
  }),
};

function onAuthorizer(
  id: string,
  result: CelType,
  call: (value: AuthorizerValue, text: string) => CelResult,
): Overload {
  return method(id, [AUTHORIZER_TYPE, STRING], result, (value: Arg, text: Arg) =>
    value instanceof AuthorizerValue && typeof text === 'string' ? call(value, text) : NO_OVERLOAD,
  );
}

function pathCheck(value: AuthorizerValue, path: string): CelResult {
  return path.trim() === '' ? new CelError('path must not be empty') : new PathCheckValue(value, path);
}

function serviceAccount(value: Arg, namespace: Arg, name: Arg): CelResult {
  if (!(value instanceof AuthorizerValue) || typeof namespace !== 'string' || typeof name !== 'string') {
    return NO_OVERLOAD;
  }
  if (name.length > 253 || !SUBDOMAIN.test(name)) return new CelError('Invalid service account name');
  if (namespace.length > 63 || !LABEL.test(namespace)) return new CelError('Invalid service account namespace');
  return new AuthorizerValue(value.ask, { namespace, name });
}

function resourceCheck(value: Arg, resource: Arg): CelResult {
  if (!(value instanceof GroupCheckValue) || typeof resource !== 'string') return NO_OVERLOAD;
  if (resource.trim() === '') return new CelError('resource must not be empty');
  const { authorizer, group } = value;
  return new ResourceCheckValue(authorizer, {
    group,
    resource,
    subresource: '',
    namespace: '',
    name: '',
    fieldSelector: '',
    labelSelector: '',
  });
}

function refined(id: string, changes: (text: string) => Partial<CheckedResource>): Overload {
  return method(id, [RESOURCE_CHECK_TYPE, STRING], RESOURCE_CHECK_TYPE, (value: Arg, text: Arg) =>
    value instanceof ResourceCheckValue && typeof text === 'string'
      ? new ResourceCheckValue(value.authorizer, { ...value.target, ...changes(text) })
      : NO_OVERLOAD,
  );
}

function check(value: Arg, verb: Arg, context: Arg): CelResult {
  if (typeof verb !== 'string') return NO_OVERLOAD;
  const target =
    value instanceof PathCheckValue ? value.path : value instanceof ResourceCheckValue ? value.target : undefined;
  if (target === undefined || !(value instanceof PathCheckValue || value instanceof ResourceCheckValue)) {
    return NO_OVERLOAD;
  }
  const { ask, serviceAccount: account } = value.authorizer;
  if (isContext(context)) context.elsewhere(CHECK_COST);
  return new DecisionValue(ask({ verb, target, serviceAccount: account }));
}

function ofDecision(id: string, result: CelType, read: (verdict: AccessVerdict) => CelResult): Overload {
  return method(id, [DECISION_TYPE], result, (value: Arg) =>
    value instanceof DecisionValue ? read(value.verdict) : NO_OVERLOAD,
  );
}

function isContext(arg: Arg): arg is CallContext {
  return typeof arg === 'object' && arg !== null && 'elsewhere' in arg;
}
