import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createProject, scaffold, TEMPLATES } from 'create-listwatch';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Within the root, so that packages are found.
const folder = mkdtempSync(join(root, 'node_modules', '.create-'));
afterAll(() => rmSync(folder, { recursive: true }));

function tsc(...args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, encoding: 'utf8' });
}

// Projects see the types that are built. Under npm test they are built already; on its own this test must not take those of yesterday.
beforeAll(() => expect(tsc('-b', 'tsconfig.build.json').stdout).toBe(''), 300_000);

/** Every word that a template must not keep when other names are asked for. */
const NAMES_OF_TEMPLATES = /website|live-dashboard|example\.com|LISTWATCH_VERSION/iu;

describe.each(TEMPLATES)('the template %s', (template) => {
  const project = join(folder, template);
  const files = scaffold(project, { template, name: 'night-shift', kind: 'BackupPolicy', group: 'ops.example.org' });

  it('has the names that were asked for, everywhere', () => {
    expect(files).toEqual(expect.arrayContaining(['.gitignore', 'README.md', 'package.json', 'tsconfig.json']));
    for (const file of files) {
      expect(file).not.toMatch(NAMES_OF_TEMPLATES);
      expect(readFileSync(join(project, file), 'utf8'), file).not.toMatch(NAMES_OF_TEMPLATES);
    }
    const manifest: unknown = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const { version }: { readonly version: string } = JSON.parse(
      readFileSync(join(root, 'apps/create/package.json'), 'utf8'),
    );
    expect(manifest).toMatchObject({ name: 'night-shift', dependencies: { '@listwatch/client': version } });
  });

  it('has a README of at most ten lines, and a .gitignore that npm has packed', () => {
    const lines = readFileSync(join(project, 'README.md'), 'utf8').trim().split('\n');
    expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(10);
    expect(readFileSync(join(project, '.gitignore'), 'utf8')).toContain('node_modules/');
    expect(existsSync(join(project, '_gitignore'))).toBe(false);
  });

  it('type-checks against the packages as they are built', () => {
    const configs = readdirSync(project).filter((file) => /^tsconfig(?:\.\w+)?\.json$/u.test(file));
    for (const config of configs) {
      const { stdout, status } = tsc('-p', join(project, config));
      expect(stdout).toBe('');
      expect(status).toBe(0);
    }
  }, 240_000);
});

it('the operator has a CI workflow that may only read, and an image that does not run as root', () => {
  const project = join(folder, 'operator');
  const workflow = load(readFileSync(join(project, '.github/workflows/ci.yml'), 'utf8'));
  expect(workflow).toMatchObject({ permissions: { contents: 'read' }, jobs: { test: { 'timeout-minutes': 15 } } });
  const image = readFileSync(join(project, 'Dockerfile'), 'utf8');
  expect(image).toMatch(/^USER node$/mu);
  expect(image).toMatch(/^HEALTHCHECK /mu);
});

describe('the command', () => {
  const said: string[] = [];
  const host = { folder: mkdtempSync(join(tmpdir(), 'listwatch-create-')), say: (line: string) => said.push(line) };
  afterAll(() => rmSync(host.folder, { recursive: true }));

  it('writes a project and says what to do next', () => {
    expect(createProject(['shop'], host)).toBe(0);
    expect(said.join('\n')).toMatch(/files in .*shop\. Next:\n {2}cd shop\n {2}npm install/u);
    expect(existsSync(join(host.folder, 'shop/src/website.ts'))).toBe(true);
  });

  it.each([
    [[], /usage/u],
    [['shop'], /is not empty/u],
    [['Shop'], /lower-case/u],
    [['a', '--template', 'blog'], /operator or dashboard/u],
    [['a', '--kind', 'backup'], /--kind/u],
    [['a', '--group', 'example'], /--group/u],
    [['a', '--colour', 'red'], /--colour/u],
  ] as const)('refuses %j and leaves the folder as it is', (args, reason) => {
    said.length = 0;
    expect(createProject(args, host)).toBe(2);
    expect(said.join('\n')).toMatch(reason);
    expect(readdirSync(host.folder)).toEqual(['shop']);
  });
});
