/** The PodSecurity policy of a namespace, parsed from its labels. */

import { type FieldError, fieldInvalid, type Labels } from '@listwatch/api';

/** The privileges of a Pod; `restricted` is the strictest level. */
export type SecurityLevel = 'privileged' | 'baseline' | 'restricted';

const LEVELS: readonly SecurityLevel[] = ['privileged', 'baseline', 'restricted'];
/** The minor version of `latest`: newer than the first version of every check. */
const LATEST = Number.POSITIVE_INFINITY;

/** A level as a version of Kubernetes defined it. */
export interface LevelVersion {
  readonly level: SecurityLevel;
  /** The minor version. */
  readonly minor: number;
}

/** The levels that refuse a Pod, and that only warn. */
export interface SecurityPolicy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
}

/**
 * A policy, and errors about invalid labels. An invalid `enforce` label counts as the strictest level, an invalid
 * `warn` label as none.
 */
export interface ParsedPolicy {
  readonly policy: SecurityPolicy;
  readonly errors: readonly FieldError[];
}

const NOTHING: LevelVersion = { level: 'privileged', minor: LATEST };
const PREFIX = 'pod-security.kubernetes.io/';

/** Reads the labels of a namespace. */
export function securityPolicy(labels: Labels = {}): ParsedPolicy {
  const errors: FieldError[] = [];
  const level = (mode: string): SecurityLevel | undefined => {
    const text = labels[PREFIX + mode];
    if (text === undefined) return undefined;
    const known = LEVELS.find((one) => one === text);
    if (known === undefined) errors.push(wrong(mode, text, `must be one of ${LEVELS.join(', ')}`));
    return known;
  };
  const version = (mode: string): number | undefined => {
    const text = labels[`${PREFIX}${mode}-version`];
    if (text === undefined || text === 'latest') return text && LATEST;
    const minor = /^v1\.(\d|[1-9]\d{1,8})$/.exec(text)?.[1];
    if (minor === undefined) errors.push(wrong(`${mode}-version`, text, 'must be "latest" or "v1.x"'));
    return Number(minor ?? LATEST);
  };
  const isSet = (mode: string): boolean => labels[PREFIX + mode] !== undefined;
  const enforced = level('enforce');
  const enforce: LevelVersion = {
    level: enforced ?? (isSet('enforce') ? 'restricted' : NOTHING.level),
    minor: version('enforce') ?? LATEST,
  };
  level('audit');
  version('audit');
  const warned = level('warn');
  const warnVersion = version('warn');
  // Controllers create the Pods later: a warning about the template tells early that they will be refused.
  const follows = !isSet('warn') && enforced !== undefined && enforced !== 'privileged';
  const warn: LevelVersion = follows
    ? { level: enforce.level, minor: warnVersion ?? enforce.minor }
    : { level: warned ?? 'privileged', minor: warnVersion ?? LATEST };
  return { policy: { enforce, warn }, errors };
}

function wrong(name: string, value: string, why: string): FieldError {
  return fieldInvalid(`metadata.labels[${PREFIX}${name}]`, value, why);
}

/** `restricted:v1.30`. */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? 'latest' : `v1.${minor}`}`;
}

/** Is the first stricter than the second? */
export function isStricter(left: SecurityLevel, right: SecurityLevel): boolean {
  return LEVELS.indexOf(left) > LEVELS.indexOf(right);
}
