/** The refusals of policies, as Kubernetes words them. */

import { failure, groupResourceText, quote, type StatusError, type StatusReason } from '@listwatch/api';
import type { PolicyDecision } from '@listwatch/rules/internal';
import type { DynamicRequest } from '../../../contract/dynamic-admission.ts';

/** Why a validating policy denies. */
export interface Denial {
  readonly policy: string;
  /** Undefined: the policy itself cannot be used. */
  readonly binding: string | undefined;
  readonly message: string;
  readonly reason: PolicyDecision['reason'];
}

const CODES = { Forbidden: 403, Invalid: 422, RequestEntityTooLarge: 413 } as const;

/** The answer to a request that a validating policy denies. */
export function validatingDenial(request: DynamicRequest, { policy, binding, message, reason }: Denial): StatusError {
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const { resource } = request.definition;
  const name = reportedName(request);
  return failure({
    code: CODES[reason],
    reason,
    message: `${groupResourceText(resource)} ${quote(name)} is forbidden: ${text}`,
    details: { name, group: resource.group, kind: resource.plural, causes: [{ message: text }] },
  });
}

/** A mutating policy that fails. */
export interface MutationFailure {
  readonly policy: string;
  readonly binding: string | undefined;
  readonly message: string;
  /** `Forbidden`: it cannot be used as it is configured. */
  readonly reason: Extract<StatusReason, 'Forbidden' | 'Invalid'>;
}

/** The answer to a request whose mutations fail. The first one gives message and reason. */
export function mutatingDenial(request: DynamicRequest, failures: readonly MutationFailure[]): StatusError {
  const texts = failures.map(({ policy, binding, message }) =>
    binding === undefined
      ? `policy ${quote(policy)} denied request: ${message}`
      : `policy '${policy}' with binding '${binding}' denied request: ${message}`,
  );
  const { resource } = request.definition;
  return failure({
    code: 403,
    reason: failures[0]?.reason ?? 'Forbidden',
    message: texts[0] ?? '',
    details: {
      name: reportedName(request),
      group: resource.group,
      kind: resource.plural,
      causes: texts.map((message) => ({ message })),
    },
  });
}

/** An object whose name the server has not made yet is named by its `generateName`. */
function reportedName({ name, object }: DynamicRequest): string {
  if (name !== '') return name;
  if (object === undefined) return 'Unknown';
  // The options of a connection have no metadata.
  const { metadata } = object as Partial<typeof object>;
  return metadata?.name || metadata?.generateName || (metadata === undefined ? 'Unknown/errorGettingName' : 'Unknown');
}
