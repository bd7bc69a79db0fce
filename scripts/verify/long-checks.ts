import { readFileSync } from 'node:fs';

export interface LongCheck {
  readonly name: string;
  /** A program and its arguments, without a shell. */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** About how long it takes on two cores, for a first run: later ones know. */
  readonly minutes?: number;
  /** The same with less input, for an hour that one has: it says less, and counts for itself only. */
  readonly small?: Pick<LongCheck, 'command' | 'env'>;
  /** What it needs beyond npm, for people who wonder why it failed. */
  readonly needs?: string;
}

function npmRun(script: string, ...args: readonly string[]): readonly [string, ...string[]] {
  return ['npm', 'run', '-s', script, ...(args.length === 0 ? [] : ['--', ...args])];
}

/** Checks with arguments or needs of their own, in the order in which a failure teaches most. */
const KNOWN_CHECKS: readonly LongCheck[] = [
  { name: 'test', command: ['npm', 'test'], needs: 'etcd, kubectl, Chromium, strace', minutes: 15 },
  { name: 'release', command: npmRun('release', '--rehearse'), minutes: 5 },
  { name: 'create', command: npmRun('test:create'), minutes: 10 },
  { name: 'image', command: npmRun('test:image'), needs: 'Linux, root', minutes: 2 },
  { name: 'start', command: npmRun('test:start'), needs: 'kubectl', minutes: 2 },
  { name: 'docs', command: npmRun('docs'), minutes: 3 },
  { name: 'long', command: npmRun('test:long'), minutes: 60 },
  { name: 'seeds', command: npmRun('test:seeds', '10'), minutes: 60, small: { command: npmRun('test:seeds', '1') } },
  { name: 'crash', command: npmRun('test:crash'), minutes: 4 },
  {
    name: 'faults',
    command: npmRun('test:faults'),
    needs: 'etcd',
    minutes: 240,
    small: { command: npmRun('test:faults', '--sample', '5') },
  },
  {
    name: 'fuzz',
    command: npmRun('test:fuzz', '1000000'),
    minutes: 30,
    small: { command: npmRun('test:fuzz', '100000') },
  },
  { name: 'connections', command: npmRun('test:connections') },
  { name: 'rbac', command: npmRun('test:rbac') },
  { name: 'sinks', command: npmRun('test:sinks') },
  { name: 'leaks', command: npmRun('test:leaks'), minutes: 120 },
  { name: 'guarantees', command: npmRun('test:guarantees') },
  { name: 'runtimes', command: npmRun('test:runtimes') },
  { name: 'protobuf', command: npmRun('test:protobuf'), needs: 'Go' },
  { name: 'kinds', command: npmRun('test:kinds'), needs: 'Go' },
  { name: 'real', command: npmRun('test:real'), needs: 'Go', minutes: 60 },
  { name: 'kubernetes', command: npmRun('test:kubernetes'), needs: 'Go', minutes: 20 },
  { name: 'interop', command: npmRun('interop'), needs: 'Go, Rust, Python, Java', minutes: 60 },
  {
    name: 'cluster',
    command: npmRun('test:cluster', '--seeds', '1-20'),
    needs: 'etcd',
    minutes: 60,
    small: { command: npmRun('test:cluster', '--seeds', '1-3') },
  },
  {
    name: 'cluster-relays',
    command: npmRun('test:cluster', '--relays', '--seeds', '1-20'),
    needs: 'etcd',
    minutes: 60,
    small: { command: npmRun('test:cluster', '--relays', '--seeds', '1-3') },
  },
  { name: 'ladder', command: npmRun('test:ladder'), needs: 'Go', minutes: 60 },
  {
    name: 'soak',
    command: npmRun('test:soak'),
    env: { SOAK_MINUTES: '30' },
    minutes: 60,
    small: { command: npmRun('test:soak'), env: { SOAK_MINUTES: '3' } },
  },
  { name: 'bench-storage', command: npmRun('bench'), needs: 'etcd' },
  { name: 'bench-cluster', command: npmRun('bench:cluster'), needs: 'etcd' },
  { name: 'bench-relay', command: npmRun('bench:relay'), needs: 'kube-apiserver, or it is held against our server' },
  { name: 'bench-console', command: npmRun('bench:console'), needs: 'Chromium' },
];

const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The script of package.json that a check runs. */
export function scriptOf({ command }: LongCheck): string {
  return command[1] === 'run' ? (command[3] ?? '') : (command[1] ?? '');
}

/** A part of `npm test`. */
const SHORT: ReadonlySet<string> = new Set(['test:unit']);

/** Tests and benches that nobody has named above: a new script is run from its first night on. */
const OTHER_CHECKS: readonly LongCheck[] = Object.keys(manifest.scripts)
  .filter((script) => /^(?:test|bench):/u.test(script) && !SHORT.has(script))
  .filter((script) => !KNOWN_CHECKS.some((check) => scriptOf(check) === script))
  .map((script) => ({ name: script.replace(/^test:/u, '').replaceAll(':', '-'), command: npmRun(script) }));

/** Every check that takes too long for `npm test`. Nightly runs each as a job of its own. */
export const LONG_CHECKS: readonly LongCheck[] = [...KNOWN_CHECKS, ...OTHER_CHECKS];

export interface CheckChoice {
  /** Names, separated by commas. */
  readonly only?: string | undefined;
  readonly skip?: string | undefined;
  readonly small?: boolean;
}

/** The checks that a person has asked for, in the order of the list. */
export function chosenChecks({ only, skip, small = false }: CheckChoice): readonly LongCheck[] {
  const wanted = only?.split(',');
  const unwanted = skip?.split(',') ?? [];
  const unknown = [...(wanted ?? []), ...unwanted].filter((name) => !LONG_CHECKS.some((check) => check.name === name));
  if (unknown.length > 0) throw new RangeError(`no check is called ${unknown.join(', ')}; npm run verify -- --list`);
  const chosen = LONG_CHECKS.filter(({ name }) => (wanted?.includes(name) ?? true) && !unwanted.includes(name));
  return small ? chosen.map(smallCheck) : chosen;
}

/** It has a name of its own: what passed with less has not passed. */
function smallCheck(check: LongCheck): LongCheck {
  if (check.small === undefined) return check;
  const { minutes: _, ...same } = check;
  return { ...same, ...check.small, name: `${check.name}-small` };
}
