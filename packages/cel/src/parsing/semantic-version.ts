/** Semantic versions, such as `1.2.3-alpha.1+build`. */
import { quoted } from './go-quote.ts';

/** A version. */
export interface SemanticVersion {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** The parts before a release: numbers, or names. */
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

/** What is wrong with a text. */
export class VersionProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const UINT64_MAX = 2n ** 64n - 1n;

/** Reads a version. */
export function parseVersion(text: string): SemanticVersion | VersionProblem {
  if (text === '') return new VersionProblem('Version string empty');
  const [majorText, minorText, rest] = splitThree(text);
  if (majorText === undefined || minorText === undefined || rest === undefined) {
    return new VersionProblem('No Major.Minor.Patch elements found');
  }
  const major = parseNumber(majorText, 'major', 'Major');
  if (major instanceof VersionProblem) return major;
  const minor = parseNumber(minorText, 'minor', 'Minor');
  if (minor instanceof VersionProblem) return minor;
  const plus = rest.indexOf('+');
  const front = plus < 0 ? rest : rest.slice(0, plus);
  const dash = front.indexOf('-');
  const patch = parseNumber(dash < 0 ? front : front.slice(0, dash), 'patch', 'Patch');
  if (patch instanceof VersionProblem) return patch;
  const prerelease: (bigint | string)[] = [];
  for (const part of dash < 0 ? [] : front.slice(dash + 1).split('.')) {
    const parsed = parsePrerelease(part);
    if (parsed instanceof VersionProblem) return parsed;
    prerelease.push(parsed);
  }
  const build = plus < 0 ? [] : rest.slice(plus + 1).split('.');
  for (const part of build) {
    if (part === '') return new VersionProblem('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part)) {
      return new VersionProblem(`Invalid character(s) found in build meta data ${quoted(part)}`);
    }
  }
  return { major, minor, patch, prerelease, build };
}

/** Reads a version that may begin with `v`, lack its minor and patch numbers, or have zeros in front of numbers. */
export function parseLooseVersion(text: string): SemanticVersion | VersionProblem {
  const parts = splitThree(text.replace(/^v/, ''))
    .filter((part) => part !== undefined)
    .map((part) => {
      if (part.length < 2) return part;
      const short = part.replace(/^0+/, '');
      return /^\d/.test(short) ? short : `0${short}`;
    });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    return new VersionProblem('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parseVersion(parts.join('.'));
}

/** -1, 0 or 1. The build does not count. */
export function compareSemanticVersions(left: SemanticVersion, right: SemanticVersion): number {
  for (const field of ['major', 'minor', 'patch'] as const) {
    if (left[field] !== right[field]) return left[field] > right[field] ? 1 : -1;
  }
  const [a, b] = [left.prerelease, right.prerelease];
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = comparePrereleases(part, other);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

/** The version as text. */
export function versionText({ major, minor, patch, prerelease, build }: SemanticVersion): string {
  const back = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  return `${major}.${minor}.${patch}${back}${build.length === 0 ? '' : `+${build.join('.')}`}`;
}

function splitThree(text: string): (string | undefined)[] {
  const first = text.indexOf('.');
  if (first < 0) return [text];
  const second = text.indexOf('.', first + 1);
  if (second < 0) return [text.slice(0, first), text.slice(first + 1)];
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

function parseNumber(text: string, name: string, title: string): bigint | VersionProblem {
  if (!/^\d*$/.test(text)) return new VersionProblem(`Invalid character(s) found in ${name} number ${quoted(text)}`);
  if (/^0./.test(text)) return new VersionProblem(`${title} number must not contain leading zeroes ${quoted(text)}`);
  return parseUint(text);
}

function parsePrerelease(text: string): bigint | string | VersionProblem {
  if (text === '') return new VersionProblem('Prerelease is empty');
  if (/^\d+$/.test(text)) {
    if (/^0./.test(text)) {
      return new VersionProblem(`Numeric PreRelease version must not contain leading zeroes ${quoted(text)}`);
    }
    return parseUint(text);
  }
  if (/^[0-9A-Za-z-]+$/.test(text)) return text;
  return new VersionProblem(`Invalid character(s) found in prerelease ${quoted(text)}`);
}

function parseUint(text: string): bigint | VersionProblem {
  if (text === '') return new VersionProblem('strconv.ParseUint: parsing "": invalid syntax');
  const value = text.length > 20 ? UINT64_MAX + 1n : BigInt(text);
  if (value <= UINT64_MAX) return value;
  return new VersionProblem(`strconv.ParseUint: parsing ${quoted(text)}: value out of range`);
}

function comparePrereleases(left: bigint | string, right: bigint | string): number {
  if (left === right) return 0;
  if (typeof left !== typeof right) return typeof left === 'bigint' ? -1 : 1;
  return left > right ? 1 : -1;
}
