// `npm run check:workflows`: actionlint on .github/workflows, and on those that projects get from a template. ACTIONLINT_BIN names one; else Go builds it, in seconds.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = 'v1.7.12';
const root = fileURLToPath(new URL('..', import.meta.url));
const { ACTIONLINT_BIN } = process.env;
const [program, ...args] =
  ACTIONLINT_BIN === undefined
    ? ['go', 'run', `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`]
    : [ACTIONLINT_BIN];
const files = ['.', 'apps/create/templates/operator'].flatMap((project) => {
  const folder = join(project, '.github/workflows');
  return readdirSync(join(root, folder)).map((file) => join(folder, file));
});
const { status, error } = spawnSync(program, [...args, '-color', ...files], { cwd: root, stdio: 'inherit' });
if (error !== undefined) console.error(`${program} cannot be started: install Go (go.dev/dl), or set ACTIONLINT_BIN`);
else if (status === 0) console.log(`actionlint ${VERSION}: ${files.join(', ')} are fine`);
process.exitCode = status ?? 1;
