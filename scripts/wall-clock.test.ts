import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The files that read the clock that people set, and why. How long something takes or when it is due is measured by `monotonicMs` or
 * `performance.now`: a clock that is set back would make a pause of a second last an hour. By name, for files move.
 */
const WALL_CLOCK: Readonly<Record<string, string>> = {
  'audit-time.ts': 'the times of events, which are shown',
  'certificate-lifetimes.ts': 'compares with the dates on which certificates end',
  'client-certificate.ts': 'compares with the date on which a certificate ends',
  'create-audit.ts': 'dates in the names of logs, and their age in days',
  'start-access.ts': 'the creation times of roles and bindings',
  'start-objects.ts': 'the creation times of default objects',
  'availability-controller.ts': 'the times of conditions',
  'extension-authentication.ts': 'compares with dates of certificates',
  'ip-address-keeper.ts': 'creation times of objects',
  'local-api-services.ts': 'creation times of objects',
  'service-cidr-controller.ts': 'compares with a timestamp of an object',
  'age-text.ts': 'shows ages of objects',
  'bootstrap-token-authenticator.ts': 'compares with the date on which a token expires',
  'cache-generation.ts': 'the times of changes, which are shown',
  'clock.ts': 'shows ages of objects',
  'closing-cases.ts': 'a fake clock of a test',
  'cluster-run.ts': 'sets the clock, as a fault',
  'content-deletion.ts': 'compares with a timestamp of an object',
  'create-api-server.ts': 'a date in a header',
  'create-write-side.ts': 'the time that policies read',
  'event-recorder.ts': 'the times of Events',
  'reload-counts.ts': 'a time that a metric shows',
  'exec-credentials.ts': 'compares with the date on which credentials expire',
  'expiry.ts': 'due times are stored, and outlive the process',
  'decision-cache.ts': 'decisions that outlive the process',
  'kind-journal.ts': 'how old a journal is, which outlives the process',
  'expirations.ts': 'compares with the dates on which credentials expire',
  'first-revision.ts': 'revisions begin at the time of the start',
  'flow-bootstrap.ts': 'timestamps of objects',
  'flow-conditions.ts': 'the times of conditions',
  'flow-dumps.ts': 'times that are shown',
  'group-commit.ts': 'the times of changes, which are stored',
  'history-keeper.ts': 'compares with stored times',
  'history-line.ts': 'a time that is shown',
  'informer.ts': 'the time of a status, which is shown',
  'inspection.ts': 'times that are shown',
  'leader-election.ts': 'until when somebody holds the lease, which is shown',
  'jwt-authenticators.ts': 'compares with dates in a token',
  'live-table.ts': 'the time of a status, which is shown',
  'login-keys.ts': 'the name of a key',
  'login-sessions.ts': 'logins outlive the process',
  'memory-engine.ts': 'the times of changes, which are shown',
  'misplaced-reports.ts': 'the times of Events',
  'monotonic-ms.ts': 'for clocks without monotonic time',
  'namespace-controller.ts': 'compares with a timestamp of an object',
  'new-store.ts': 'compares with the time of a file',
  'oidc-credentials.ts': 'compares with the date on which a token expires',
  'pod-usage.ts': 'compares with a timestamp of an object',
  'private-socket.ts': 'compares with the time of a file',
  'probe.ts': 'compares the clock with that of a server',
  'resource-cache.ts': 'ages of objects and of changes',
  'secret-certificate.ts': 'compares with dates of certificates',
  'server-sampler.ts': 'the times of samples, which are shown',
  'server-state.ts': 'times that are shown',
  'service-account-authenticator.ts': 'compares with dates in a token',
  'upstream-authenticator.ts': 'compares with the date in a token',
  'service-account-tokens.ts': 'dates in a token',
  'shared-informers.ts': 'the time of a status, which is shown',
  'silence-guard.ts': 'monotonic time stands still while the machine sleeps',
  'store-holder.ts': 'compares with the time of a file',
  'system-clock.ts': 'the clock itself',
  'table-grid.tsx': 'shows ages of objects',
  'test-authority.ts': 'dates of certificates',
  'test-certificate.ts': 'dates of certificates',
  'token-cleaner.ts': 'compares with the date on which a token expires',
  'user-actions.ts': 'dates of credentials',
  'user-token.ts': 'compares with dates in a token',
  'validate-object.ts': 'compares with times in objects',
  'version-age.ts': 'compares with the date of a release',
  'watch-session.ts': 'shows ages of objects',
  'watcher.ts': 'the times of a status, which are shown',
};

const READS = /\bDate\.now\(\)|[cC]lock\.now\(\)/u;
/** A timestamp. */
const SHOWN = /\b(?:timestamp|microTime|new Date)\([^()]*[cC]lock\.now\(\)\)/gu;

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/u.test(name) && !/\.(?:test|test-d|fixture)\.tsx?$/u.test(name))
    .filter((name) => !/(?:^|\/)(?:node_modules|dist|generated)\//u.test(name))
    .map((name) => join(folder, name));
}

const folders = ['packages', 'apps'].flatMap((top) =>
  readdirSync(join(root, top)).flatMap((name) =>
    readdirSync(join(root, top, name))
      .filter((part) => part === 'src' || part === 'page')
      .map((part) => join(top, name, part)),
  ),
);

/** The files that put times into objects get them as a part of a request: all of what they read is shown. */
const WRITE_FLOOR = /^packages\/server\/src\/(?:write|crd)\//u;

it('durations are measured by monotonic time: only these files read the clock that people set', () => {
  const found = folders
    .flatMap(sources)
    .filter((path) => !WRITE_FLOOR.test(path))
    .filter((path) => READS.test(readFileSync(join(root, path), 'utf8').replaceAll(SHOWN, '')));
  expect(found.filter((path) => WALL_CLOCK[basename(path)] === undefined)).toEqual([]);
  const names = new Set(found.map((path) => basename(path)));
  expect(Object.keys(WALL_CLOCK).filter((name) => !names.has(name))).toEqual([]);
});
