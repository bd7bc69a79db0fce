import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scaffold } from 'create-listwatch';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Within the root, so that packages are found.
const folder = mkdtempSync(join(root, 'node_modules', '.create-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Plain names, and what the language, the built-in kinds, our packages and the template itself have. */
const KINDS = `
  Website BackupPolicy A L${'o'.repeat(40)}ng
  Array Date Error Function Map Object Promise Proxy Record Set String Symbol
  Await Class Const Default Delete Enum Eval Export Import Interface New Null Package
  Process Require Return Static Type Undefined Yield Console Fetch GlobalThis
  Cluster Deployment Event Lease Namespace Node Pod Role Service Status
  Body Condition Conditions Controller Deny Deployments Exists Expect It Key Labels Main
  Manager Manifests Operator OperatorManifests Port Probe Program Resource Settings
  SmallestRole Spec Target WaitFor Webhook Webhooks Z
`
  .trim()
  .split(/\s+/u);

function tsc(...args: readonly string[]): string {
  return spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, encoding: 'utf8' }).stdout;
}

beforeAll(() => expect(tsc('-b', 'tsconfig.build.json')).toBe(''), 300_000);

it('a project compiles, whatever its kind is called', () => {
  for (const kind of KINDS) scaffold(join(folder, kind), { template: 'operator', name: 'my-operator', kind });
  // One program for all of them: the compiler reads the packages once.
  const config = { extends: './Website/tsconfig.json', include: ['*/src', '*/test'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  expect(tsc('-p', folder)).toBe('');
}, 240_000);

it('a kind keeps its name for readers and for the server, where its constant cannot have it', () => {
  const source = readFileSync(join(folder, 'Operator/src/operatorKind.ts'), 'utf8');
  expect(source).toContain('export const operatorKind = defineKind({');
  expect(source).toContain("kind: 'Operator'");
  expect(source).toContain('export type Operator = ');
  expect(readFileSync(join(folder, 'Operator/src/operator.ts'), 'utf8')).toContain('export const operatorOperator: ');
  expect(existsSync(join(folder, 'BackupPolicy/src/backupPolicy.ts'))).toBe(true);
});

it.each([
  [{ kind: 'ControllerOptions' }, /--kind ControllerOptions is the name of a type that the project imports/u],
  [{ kind: 'ObjectOf' }, /--kind ObjectOf/u],
  [{ group: 'networking.k8s.io' }, /belongs to Kubernetes/u],
  [{ group: 'kubernetes.io' }, /belongs to Kubernetes/u],
  [{ group: '-a.example.com' }, /must be a domain/u],
  [{ group: 'example.com.' }, /must be a domain/u],
  [{ name: 'zod' }, /the name of a package that it needs, zod/u],
  [{ name: '2nd' }, /begin with a letter/u],
  [{ name: 'x'.repeat(55) }, /at most 54/u],
])('what could not be installed or applied is refused, and nothing is written: %j', (options, reason) => {
  const target = join(folder, 'refused');
  expect(() => scaffold(target, { template: 'operator', name: 'my-operator', ...options })).toThrow(reason);
  expect(existsSync(target)).toBe(false);
});
