/** Checks a Pod against a level of PodSecurity. */

import { BASELINE_CHECKS } from './baseline-checks.ts';
import { RESTRICTED_CHECKS } from './restricted-checks.ts';
import type { CheckedPod, SecurityCheck, Violation } from './security-check.ts';
import type { LevelVersion } from './security-policy.ts';

/** All violations of the level. */
export function securityViolations({ level, minor }: LevelVersion, pod: CheckedPod): readonly Violation[] {
  if (level === 'privileged') return [];
  return checksOf(level, minor).flatMap(({ check }) => check(pod, minor) ?? []);
}

function checksOf(level: 'baseline' | 'restricted', minor: number): readonly SecurityCheck[] {
  const existing = (checks: readonly SecurityCheck[]): readonly SecurityCheck[] =>
    checks.filter(({ since }) => since <= minor);
  if (level === 'baseline') return existing(BASELINE_CHECKS);
  const restricted = existing(RESTRICTED_CHECKS);
  const replaced = new Set(restricted.flatMap(({ replaces }) => replaces ?? []));
  return [...existing(BASELINE_CHECKS).filter(({ id }) => !replaced.has(id)), ...restricted];
}

/** `privileged (container "a" must not set securityContext.privileged=true), hostPort (...)`. */
export function violationsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
