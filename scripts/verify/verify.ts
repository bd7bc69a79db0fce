// `npm run verify`: every long check, one after the other. Interrupted, it goes on where it was; a check that failed runs again.
// `-- --only NAME,NAME` runs some, `-- --again` all anew, `-- --list` says what there is. The table is .listwatch/verify/report.md.

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LONG_CHECKS } from './long-checks.ts';
import { runChecks } from './run-checks.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const wanted = values.only?.split(',');
const unknown = wanted?.filter((name) => !LONG_CHECKS.some((check) => check.name === name)) ?? [];
if (unknown.length > 0) throw new RangeError(`no check is called ${unknown.join(', ')}; npm run verify -- --list`);
const checks = LONG_CHECKS.filter(({ name }) => wanted === undefined || wanted.includes(name));
if (values.list) {
  for (const { name, command, needs } of checks)
    console.log(`${name.padEnd(18)} ${command.join(' ')}${needs === undefined ? '' : `   (needs ${needs})`}`);
} else {
  const failed = await runChecks(checks, {
    root,
    again: values.again,
    names: LONG_CHECKS.map(({ name }) => name),
    say: (line) => console.log(line),
  });
  process.exitCode = failed.length === 0 ? 0 : 1;
}
