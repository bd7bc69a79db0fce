import { readFileSync } from 'node:fs';

export interface LongCheck {
  readonly name: string;
  /** A program and its arguments, without a shell. */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** What it needs beyond npm, for people who wonder why it failed. */
  readonly needs?: string;
}

function npmRun(script: string, ...args: readonly string[]): readonly [string, ...string[]] {
  return ['npm', 'run', '-s', script, ...(args.length === 0 ? [] : ['--', ...args])];
}

/** Checks with arguments or needs of their own, in the order in which a failure teaches most. */
const KNOWN_CHECKS: readonly LongCheck[] = [
  { name: 'test', command: ['npm', 'test'], needs: 'etcd, kubectl, Chromium, strace' },
  { name: 'release', command: npmRun('release', '--rehearse') },
  { name: 'create', command: npmRun('test:create') },
  { name: 'image', command: npmRun('test:image'), needs: 'Linux, root' },
  { name: 'start', command: npmRun('test:start'), needs: 'kubectl' },
  { name: 'docs', command: npmRun('docs') },
  { name: 'long', command: npmRun('test:long') },
  { name: 'seeds', command: npmRun('test:seeds', '10') },
  { name: 'crash', command: npmRun('test:crash') },
  { name: 'faults', command: npmRun('test:faults'), needs: 'etcd' },
  { name: 'fuzz', command: npmRun('test:fuzz', '1000000') },
  { name: 'connections', command: npmRun('test:connections') },
  { name: 'rbac', command: npmRun('test:rbac') },
  { name: 'sinks', command: npmRun('test:sinks') },
  { name: 'leaks', command: npmRun('test:leaks') },
  { name: 'guarantees', command: npmRun('test:guarantees') },
  { name: 'runtimes', command: npmRun('test:runtimes') },
  { name: 'protobuf', command: npmRun('test:protobuf'), needs: 'Go' },
  { name: 'kinds', command: npmRun('test:kinds'), needs: 'Go' },
  { name: 'real', command: npmRun('test:real'), needs: 'Go' },
  { name: 'kubernetes', command: npmRun('test:kubernetes'), needs: 'Go' },
  { name: 'interop', command: npmRun('interop'), needs: 'Go, Rust, Python, Java' },
  { name: 'cluster', command: npmRun('test:cluster', '--seeds', '1-20'), needs: 'etcd' },
  { name: 'cluster-relays', command: npmRun('test:cluster', '--relays', '--seeds', '1-20'), needs: 'etcd' },
  { name: 'ladder', command: npmRun('test:ladder'), needs: 'Go' },
  { name: 'soak', command: npmRun('test:soak'), env: { SOAK_MINUTES: '30' } },
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
