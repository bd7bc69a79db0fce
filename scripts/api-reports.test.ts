import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { apiReports } from './api-reports.mjs';
import { publicPackages } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(root, 'docs/api');

let reports: ReadonlyMap<string, string> = new Map();

beforeAll(() => {
  // Under npm test the types are built already; on its own this test must not read those of yesterday.
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-b', 'tsconfig.build.json'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  expect(tsc.stdout).toBe('');
  reports = apiReports();
}, 300_000);

it.each(publicPackages())(
  'docs/api has the public signatures of $name as they are: else run npm run api',
  ({ name }) => {
    const file = `${name.replace('@listwatch/', '')}.md`;
    const current = reports.get(file)?.split('\n') ?? [];
    const written = existsSync(join(FOLDER, file)) ? readFileSync(join(FOLDER, file), 'utf8').split('\n') : [];
    const before = new Set(written);
    const after = new Set(current);
    expect({
      gone: written.filter((line) => !after.has(line)),
      new: current.filter((line) => !before.has(line)),
    }).toEqual({ gone: [], new: [] });
    expect(current.join('\n')).toBe(written.join('\n'));
  },
);

it('docs/api has a page for each public package and no other, and its index names each', () => {
  const pages = readdirSync(FOLDER).filter((file) => file !== 'README.md');
  expect(pages.toSorted()).toEqual([...reports.keys()].toSorted());
  const index = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

it('a report has what doors export, and neither doors for siblings nor private members', () => {
  const client = reports.get('client.md') ?? '';
  expect(client).toContain('## @listwatch/client on Node');
  expect(client).toContain('## @listwatch/client elsewhere');
  expect(client).toContain('export interface Cluster');
  expect(client).toMatch(/Missing: .*`loadKubeconfig`/u);
  const all = [...reports.values()].join('\n');
  expect(all).not.toContain('/internal\n');
  expect(all).not.toMatch(/^ +private /mu);
  expect(all).not.toMatch(/^ +#/mu);
});
