// Runs suites against several versions of kube-apiserver, one after the other:
//
//     npm run test:ladder [-- --versions 1.31.14,1.36.3] [--build-only] [vitest's arguments]
//
// By default the ladder of the relay. Each is built with Go from the modules that Kubernetes publishes, once: some ten minutes on two cores.
// They keep their objects in the etcd of test:real: an older one tells no watch cache how far it is. ETCD_BIN names another.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT, buildRealPart, versionFlags } from './build-real-part.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The newest of each minor version that this was tried with. */
const VERSIONS = ['1.31.14', '1.32.13', '1.33.13', '1.34.4', '1.35.4', '1.36.3'];
const SUITES = ['packages/relay/test/fresh-real.test.ts'];

function main() {
  const given = process.argv.slice(2);
  const at = given.indexOf('--versions');
  const versions = at === -1 ? VERSIONS : (given.splice(at, 2)[1] ?? '').split(',');
  const buildsOnly = given.includes('--build-only');
  const etcd = process.env.ETCD_BIN ?? buildRealPart('etcd', 'go.etcd.io/etcd/server/v3');
  const failed = [];
  for (const version of versions) {
    if (!/^1\.\d+\.\d+$/u.test(version)) throw new Error(`${JSON.stringify(version)} is no version such as 1.36.3`);
    const program = programOf(version);
    if (program === undefined) {
      failed.push(`${version} cannot be built`);
      continue;
    }
    if (buildsOnly) continue;
    console.error(`kube-apiserver ${version}`);
    const args = ['vitest', 'run', ...(given.length === 0 ? SUITES : given)];
    const { status } = spawnSync('npx', args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ETCD_BIN: etcd, KUBE_APISERVER_BIN: program },
    });
    if (status !== 0) failed.push(`${version} ends with ${status}`);
  }
  console.error(failed.length === 0 ? `clean with ${versions.join(', ')}` : failed.join('\n'));
  process.exit(failed.length === 0 ? 0 : 1);
}

/** Undefined: Go cannot build it. */
function programOf(version) {
  const program = `${BUILT}/${version}/kube-apiserver`;
  if (existsSync(program)) return program;
  const folder = `${BUILT}/${version}/source`;
  mkdirSync(folder, { recursive: true });
  console.error(`building kube-apiserver ${version} (minutes, the first time) ...`);
  copyFileSync(`${root}interop/kube-apiserver/main.go`, `${folder}/main.go`);
  const own = moduleFile(version, folder);
  if (own === undefined) return undefined;
  writeFileSync(`${folder}/go.mod`, own);
  return go(['build', '-ldflags', versionFlags(version), '-o', program, '.'], folder) ? program : undefined;
}

/** A go.mod like Kubernetes' own, whose modules are those that are published instead of folders beside it. */
function moduleFile(version, folder) {
  const args = ['mod', 'download', '-json', `k8s.io/kubernetes@v${version}`];
  const { stdout, status } = spawnSync('go', args, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) {
    console.error(stdout);
    return undefined;
  }
  const theirs = readFileSync(JSON.parse(stdout).GoMod, 'utf8');
  const staged = `v${version.replace(/^1\./u, '0.')}`;
  const names = new Set(
    [...theirs.matchAll(/^\s*(?:replace )?(k8s\.io\/\S+) => \.\/staging/gmu)].map(([, name]) => name),
  );
  // Since 1.34 they are in a workspace of Go, and the requirements alone name them.
  for (const [, name] of theirs.matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0$/gmu)) names.add(name);
  const [, language = '1.22'] = /^go (\S+)$/mu.exec(theirs) ?? [];
  return [
    'module listwatch.test/kube-apiserver',
    `go ${language}`,
    `require k8s.io/kubernetes v${version}`,
    `require k8s.io/component-base ${staged}`,
    ...[...names].map((name) => `replace ${name} => ${name} ${staged}`),
    '',
  ].join('\n');
}

function go(args, cwd) {
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOWORK: 'off' };
  return spawnSync('go', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
}

main();
