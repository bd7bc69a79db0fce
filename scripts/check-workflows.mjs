// `npm run check:workflows`: actionlint on .github/workflows. ACTIONLINT_BIN names one; else Go builds it, in seconds.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const VERSION = 'v1.7.12';
const root = fileURLToPath(new URL('..', import.meta.url));
const { ACTIONLINT_BIN } = process.env;
const [program, ...args] =
  ACTIONLINT_BIN === undefined
    ? ['go', 'run', `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`]
    : [ACTIONLINT_BIN];
const { status, error } = spawnSync(program, [...args, '-color'], { cwd: root, stdio: 'inherit' });
if (error !== undefined) console.error(`${program} cannot be started: install Go (go.dev/dl), or set ACTIONLINT_BIN`);
else if (status === 0) console.log(`actionlint ${VERSION}: .github/workflows is fine`);
process.exitCode = status ?? 1;
