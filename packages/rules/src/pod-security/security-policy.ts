/** The policy of a namespace for the security of its Pods, as its labels say it. */

import { type FieldError, fieldInvalid, type Labels } from '@listwatch/api';

/** How much a Pod may do; `restricted` is the strictest. */
export type SecurityLevel = 'privileged' | 'baseline' | 'restricted';

const LEVELS: readonly SecurityLevel[] = ['privileged', 'baseline', 'restricted'];
/** Stands for `latest`: newer than every version that a check began with. */
const LATEST = Number.POSITIVE_INFINITY;

/** A level as a version of Kubernetes defined it. */
export interface LevelVersion {
  readonly level: SecurityLevel;
  /** The minor version. */
  readonly minor: number;
}

/** What refuses a Pod, and what only warns. There is no audit log here. */
export interface SecurityPolicy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
}

/** A policy, and the labels that are wrong. They count as the strictest when they enforce, and as none when they warn. */
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
  // Controllers make Pods later: a warning tells at once that they will be refused.
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
