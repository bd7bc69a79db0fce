// `npm run verify`: every long check, one after the other. `-- --help` says the rest.

import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { duration } from './check-outcomes.ts';
import { expectedSeconds } from './check-times.ts';
import { chosenChecks, LONG_CHECKS } from './long-checks.ts';
import { measuredSeconds, runChecks } from './run-checks.ts';

const HELP = `npm run verify [-- OPTIONS]

Runs every long check, one after the other, and writes .listwatch/verify/report.md: what ran, for how long, under which load, what failed. The
output of each is .listwatch/verify/NAME.log. Interrupted (Ctrl-C, SIGTERM), it ends the running check with all that it has started; the next run
goes on there. What failed runs again; what passed does not while the tree stays the same.

  --only NAME,NAME  these checks
  --skip NAME,NAME  all but these
  --minutes N       begin no check that will probably end later than N minutes from now
  --small           those that can with less input: fewer seeds, fewer requests
  --again           run also what has passed on this tree
  --list            the checks, with how long they take, and what they need
  --help            this text
`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    skip: { type: 'string' },
    minutes: { type: 'string' },
    small: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function listChecks(): void {
  const measured = measuredSeconds(root);
  for (const check of chosenChecks(values)) {
    const seconds = expectedSeconds(check, measured);
    const time = seconds === undefined ? '' : duration(seconds);
    const needs = check.needs === undefined ? '' : `   (needs ${check.needs})`;
    console.log(`${check.name.padEnd(18)} ${time.padStart(12)}   ${check.command.join(' ')}${needs}`);
  }
}

async function verify(): Promise<void> {
  const limitMinutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (limitMinutes !== undefined && !(limitMinutes > 0))
    throw new RangeError(`--minutes takes a positive number, not ${values.minutes}`);
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!interruption.signal.aborted)
        console.log(`${signal}: ending the running check and removing its temporary files`);
      interruption.abort();
    });
  const checks = chosenChecks(values);
  const failed = await runChecks(checks, {
    root,
    again: values.again,
    limitMinutes,
    names: [...new Set([...LONG_CHECKS, ...checks].map(({ name }) => name))],
    say: (line) => console.log(line),
    signal: interruption.signal,
  });
  process.exitCode = interruption.signal.aborted ? 130 : failed.length === 0 ? 0 : 1;
}

if (values.help) console.log(HELP);
else if (values.list) listChecks();
else await verify();
