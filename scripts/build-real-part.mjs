// Builds the programs of other projects that suites run against, in the versions that the folders of `interop` ask for.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where they are kept: a folder for each version. */
export const BUILT = `${root}node_modules/.cache/listwatch-real`;

/** Programs of ours: they change while the version stays. */
const OWN = ['cert-manager-webhook', 'controller-runtime', 'kubelet-streams', 'kubernetes-e2e'];

const KUBERNETES = 'k8s.io/kubernetes';
/** The end-to-end specs about admission policies. Their package imports most of Kubernetes; these two files do not. */
const SPECS = ['mutatingadmissionpolicy.go', 'validatingadmissionpolicy.go'];

/**
 * The path of a program of `interop`, in the version that the go.mod of its folder asks for of `module`. `target` is the
 * package to build.
 */
export function buildRealPart(name, module, target = '.', folder = name) {
  const source = `${root}interop/${folder}`;
  const version = readFileSync(`${source}/go.mod`, 'utf8').match(
    new RegExp(`^(?:require)?\\s*${module} v(\\S+)(?: // indirect)?$`, 'm'),
  )?.[1];
  if (version === undefined) throw new Error(`interop/${folder}/go.mod asks for no version of ${module}`);
  // kube-apiserver takes the name of its file for that of a field manager.
  const program = `${BUILT}/${version}/${name}`;
  if (existsSync(program) && !OWN.includes(name)) return program;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) {
    console.error(
      `To build ${name} ${version} takes Go (go.dev/dl). Or name the programs as the top of this file says.`,
    );
    process.exit(1);
  }
  mkdirSync(`${BUILT}/${version}`, { recursive: true });
  console.error(`building ${name} ${version} (minutes, the first time) ...`);
  const args = ['build', '-ldflags', versionFlags(version), '-o', program, target];
  const { status } = spawnSync('go', args, { cwd: source, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
  return program;
}

/** What a program of Kubernetes says of itself; without it, it calls itself v0.0.0, and clients take it for very old. */
export function versionFlags(version) {
  const [major, minor] = version.split('.');
  const said = { gitVersion: `v${version}`, gitMajor: major, gitMinor: minor };
  const flags = Object.entries(said).map(([key, value]) => `-X k8s.io/component-base/version.${key}=${value}`);
  return `-s -w ${flags.join(' ')}`;
}

/** The end-to-end specs of Kubernetes about admission policies. Their source is copied from the module, and not kept here. */
export function buildKubernetesE2e() {
  // Before a build Go need not have the module, and then it has no folder.
  spawnSync('go', ['mod', 'download', KUBERNETES], { cwd: `${root}interop/kubernetes-e2e`, stdio: 'inherit' });
  const from = `${folderOf('kubernetes-e2e', KUBERNETES)}/test/e2e/apimachinery`;
  for (const spec of SPECS) {
    const copy = `${root}interop/kubernetes-e2e/policies/${spec}`;
    copyFileSync(`${from}/${spec}`, copy);
    // Go keeps its modules read-only: another copy could not replace this one.
    chmodSync(copy, 0o644);
  }
  return buildRealPart('kubernetes-e2e', KUBERNETES);
}

/** The folder of a module, where Go keeps it: its manifests are not copied. */
export function folderOf(folder, module) {
  const cwd = `${root}interop/${folder}`;
  const { stdout, status } = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd, encoding: 'utf8' });
  if (status !== 0) process.exit(status ?? 1);
  return stdout.trim();
}
