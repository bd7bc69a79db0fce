/** What a webhook can be told: which requests it wants, and what becomes of them when it fails. */

import { checkOptionNames, type OptionNames } from '@listwatch/client/internal';
import type { AdmissionOperation, WriteOperation } from './review/admission-request.ts';

/** As Kubernetes has it: both parts must match. */
export interface HookSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn';
    readonly values?: readonly string[];
  }[];
}

/** Requests of other resources, instead of those of the kind. */
export interface HookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope?: '*' | 'Cluster' | 'Namespaced';
}

/** Options of `validate`. */
export interface ValidateHookOptions<O extends AdmissionOperation = WriteOperation> {
  /** Default: `['CREATE', 'UPDATE']`. */
  readonly operations?: readonly O[] | undefined;
  /** Tells webhooks of one kind apart; a DNS label. Default: none, for the first webhook of the kind. */
  readonly name?: string | undefined;
  /** Such as `status` or `scale`. Default: the object itself. */
  readonly subresource?: string | undefined;
  /** Instead of the resource of the kind. The handler then sees these as objects of the kind: say so in its type. */
  readonly rules?: readonly HookRule[] | undefined;
  readonly namespaceSelector?: HookSelector | undefined;
  readonly objectSelector?: HookSelector | undefined;
  /** CEL; the API server calls the webhook only when all are true. */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[] | undefined;
  /** `Exact`: no call for requests in another version of the resource. Default: `Equivalent`. */
  readonly matchPolicy?: 'Equivalent' | 'Exact' | undefined;
  /** What the API server does when it gets no answer. A denial and an exception are answers. Default: `Fail`. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /** 1 to 30. Default: 10. */
  readonly timeoutSeconds?: number | undefined;
  /** `NoneOnDryRun`: the handler looks at `dryRun`. Default: `None`. */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined;
}

/** Options of `mutate`. */
export interface MutateHookOptions<O extends Exclude<AdmissionOperation, 'DELETE'> = WriteOperation>
  extends ValidateHookOptions<O> {
  /** `IfNeeded`: called again when a later webhook has changed the object. Default: `Never`. */
  readonly reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}

/** The options, checked and filled in. */
export interface HookConfig {
  readonly operations: readonly AdmissionOperation[];
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  readonly rules: readonly HookRule[] | undefined;
  readonly namespaceSelector: HookSelector | undefined;
  readonly objectSelector: HookSelector | undefined;
  readonly matchConditions: ValidateHookOptions['matchConditions'];
  readonly matchPolicy: 'Equivalent' | 'Exact';
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly reinvocationPolicy: 'IfNeeded' | 'Never';
}

const VALIDATE_NAMES: OptionNames<ValidateHookOptions> = {
  operations: true,
  name: true,
  subresource: true,
  rules: true,
  namespaceSelector: true,
  objectSelector: true,
  matchConditions: true,
  matchPolicy: true,
  failurePolicy: true,
  timeoutSeconds: true,
  sideEffects: true,
};
const MUTATE_NAMES: OptionNames<MutateHookOptions> = { ...VALIDATE_NAMES, reinvocationPolicy: true };

const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/u;
const OPERATIONS: readonly AdmissionOperation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

type UntypedOptions = Omit<MutateHookOptions, 'operations'> & {
  readonly operations?: readonly AdmissionOperation[] | undefined;
};

/** Checks options, once. Throws a TypeError or a RangeError that names the option. */
export function resolveHookOptions(type: 'mutate' | 'validate', options: UntypedOptions): HookConfig {
  checkOptionNames(type, options, type === 'mutate' ? MUTATE_NAMES : VALIDATE_NAMES);
  const { name, subresource, timeoutSeconds = 10 } = options;
  const operations: readonly AdmissionOperation[] = options.operations ?? ['CREATE', 'UPDATE'];
  if (operations.length === 0) throw new TypeError(`operations of ${type} must not be empty`);
  const allowed = type === 'mutate' ? OPERATIONS.filter((operation) => operation !== 'DELETE') : OPERATIONS;
  const wrong = operations.find((operation) => !allowed.includes(operation));
  if (wrong !== undefined) throw new TypeError(`operations of ${type} are ${allowed.join(', ')}, not ${wrong}`);
  if (!(Number.isInteger(timeoutSeconds) && timeoutSeconds >= 1 && timeoutSeconds <= 30))
    throw new RangeError(`timeoutSeconds of ${type} must be 1 to 30, not ${timeoutSeconds}`);
  if (name !== undefined && !LABEL.test(name)) throw new TypeError(`name of ${type} must be a DNS label, not ${name}`);
  return {
    operations,
    name,
    subresource,
    rules: options.rules,
    namespaceSelector: options.namespaceSelector,
    objectSelector: options.objectSelector,
    matchConditions: options.matchConditions,
    matchPolicy: options.matchPolicy ?? 'Equivalent',
    failurePolicy: options.failurePolicy ?? 'Fail',
    timeoutSeconds,
    sideEffects: options.sideEffects ?? 'None',
    reinvocationPolicy: options.reinvocationPolicy ?? 'Never',
  };
}
