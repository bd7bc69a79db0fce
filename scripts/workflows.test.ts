import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { LONG_CHECKS } from './verify/long-checks.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
  readonly 'runs-on'?: string;
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = new URL('../.github/workflows/', import.meta.url);
const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

function read(file: string): { readonly text: string; readonly workflow: Workflow } {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is not so fails the tests below
  return { text, workflow: load(text) as Workflow };
}

/** What somebody outside of the repository can write into a branch name, a title or a tag, put into a shell. */
const EXPRESSION_IN_SHELL = /\$\{\{/u;

describe.each(readdirSync(FOLDER))('the workflow %s', (file) => {
  const { text, workflow } = read(file);
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);

  it('runs scripts that exist, and puts no expression into a shell', () => {
    const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(commands.filter((command) => EXPRESSION_IN_SHELL.test(command))).toEqual([]);
    const scripts = commands.flatMap((command) =>
      [...command.matchAll(/npm run (?:-s )?([\w:-]+)/gu)].map(([, name = '']) => name),
    );
    expect(scripts.filter((name) => manifest.scripts[name] === undefined)).toEqual([]);
  });

  it('takes actions by their commit, may only read by default, and no job runs for ever', () => {
    const used = [...text.matchAll(/uses: (\S+)(.*)$/gmu)];
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter(([line]) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(line))).toEqual([]);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [name, job] of jobs) expect(job['timeout-minutes'], name).toBeGreaterThan(0);
  });
});

it('only the release may sign, and it tests before it publishes', () => {
  for (const file of readdirSync(FOLDER))
    expect(read(file).text.includes('id-token: write')).toBe(file === 'release.yml');
  const steps = read('release.yml').workflow.jobs['publish']?.steps ?? [];
  const commands = steps.map(({ run }) => run);
  expect(commands.indexOf('npm test')).toBeGreaterThan(0);
  expect(commands.indexOf('npm run release -- --publish')).toBeGreaterThan(commands.indexOf('npm test'));
  expect(commands.indexOf('npm run release -- --publish --first')).toBeGreaterThan(commands.indexOf('npm test'));
});

it('the token for first versions is seen by that step alone, and never by a tag that is pushed', () => {
  const { text, workflow } = read('release.yml');
  expect([...text.matchAll(/secrets\./gu)]).toHaveLength(1);
  const step = workflow.jobs['publish']?.steps.find(({ env }) => env?.['NODE_AUTH_TOKEN'] !== undefined);
  expect(step).toMatchObject({
    if: "github.event_name == 'workflow_dispatch'",
    run: 'npm run release -- --publish --first',
  });
});

it('nightly runs each long check as a job of its own', () => {
  expect(read('nightly.yml').workflow.jobs['long']?.strategy?.matrix['check']).toEqual(
    LONG_CHECKS.map(({ name }) => name),
  );
});

it('tests run on each line of Node that is supported', () => {
  expect(read('test.yml').workflow.jobs['test']?.strategy?.matrix['node']).toEqual([20, 22, 24]);
});

/** What a run of these needs and npm does not bring: without it they leave tests out, or fail far from the cause. */
const NEEDS_PARTS = /^npm (?:test|run verify|run docs)\b/u;

it('tests and long checks find Chromium, and a part that is missing is a failure', () => {
  const wanting = readdirSync(FOLDER).flatMap((file) =>
    Object.values(read(file).workflow.jobs).flatMap(({ steps }) =>
      steps.map((step, index) => ({ file, ...step, before: steps.slice(0, index).map(({ run = '' }) => run) })),
    ),
  );
  const found = wanting.filter(({ run = '' }) => NEEDS_PARTS.test(run));
  expect(new Set(found.map(({ file }) => file))).toEqual(new Set(readdirSync(FOLDER)));
  for (const { file, run = '', env = {}, before } of found) {
    const parts = (env['REQUIRED_PARTS'] ?? '').split(',');
    expect([run, env['CHROMIUM_BIN'], parts], file).toEqual([run, '/usr/bin/google-chrome', parts]);
    expect(parts, `${file}: ${run}`).toContain('Chromium');
    if (run.startsWith('npm run docs')) continue;
    expect(parts, `${file}: ${run}`).toEqual(['etcd', 'strace', 'openssl', 'kubectl', 'Chromium']);
    expect(before.join(), `${file}: ${run}`).toContain('etcd-server strace');
  }
});
