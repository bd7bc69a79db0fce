// Builds some of Kubernetes' end-to-end tests, from single files of the module that it publishes. They are not copied into
// `interop/e2e`: Go is told to find them there.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT, versionFlags } from './build-real-part.mjs';

const source = fileURLToPath(new URL('../interop/e2e', import.meta.url));
const MODULE = 'k8s.io/kubernetes';
const FILES = [
  'apimachinery/crd_publish_openapi.go',
  'apimachinery/flowcontrol.go',
  'apimachinery/framework.go',
  'apimachinery/mutatingadmissionpolicy.go',
  'apimachinery/validatingadmissionpolicy.go',
  'network/service_cidrs.go',
];

/** The path of the program with the tests. */
export function buildE2eSpecs() {
  const version = readFileSync(`${source}/go.mod`, 'utf8').match(new RegExp(`^\\s*${MODULE} v(\\S+)`, 'm'))?.[1];
  if (version === undefined) throw new Error(`interop/e2e/go.mod asks for no version of ${MODULE}`);
  const folder = `${BUILT}/${version}`;
  const program = `${folder}/e2e-specs`;
  mkdirSync(folder, { recursive: true });
  // Also when it is there: the list of files changes while the version stays, and Go knows what is built already.
  console.error(`building the end-to-end tests of ${version} (minutes, the first time) ...`);
  const { Dir } = JSON.parse(go(['mod', 'download', '-json', MODULE]));
  const Replace = Object.fromEntries(FILES.map((file) => [`${source}/${file}`, `${Dir}/test/e2e/${file}`]));
  const overlay = `${folder}/e2e-specs.json`;
  writeFileSync(overlay, JSON.stringify({ Replace }));
  // There is nothing on the disk that vet could look at.
  go(['test', '-c', '-vet=off', '-overlay', overlay, '-ldflags', versionFlags(version), '-o', program, '.']);
  return program;
}

function go(args) {
  const { stdout, status } = spawnSync('go', args, {
    cwd: source,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}
