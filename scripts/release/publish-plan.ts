import { runNpm } from './run-npm.ts';

export interface Publishable {
  readonly name: string;
  readonly version: string;
}

export interface PlanOptions {
  /** Publish the packages that npm has never seen, with a token. Without it npm must know all of them. */
  readonly first: boolean;
  readonly registryArgs: readonly string[];
}

export interface PublishPlan<T extends Publishable> {
  /** What is still to be published, in the order given. */
  readonly waiting: readonly T[];
  /** Why nothing may be published. Empty when it may. */
  readonly refusals: readonly string[];
}

/**
 * Asks the registry what is there. npm never takes a version twice: what an interrupted release has published is left out. The
 * release workflow has no token, and npm trusts a workflow only for a package that exists: the first version of a package needs `first`.
 */
export async function planPublishing<T extends Publishable>(
  packages: readonly T[],
  { first, registryArgs }: PlanOptions,
): Promise<PublishPlan<T>> {
  const refusals: string[] = [];
  const unknown: T[] = [];
  const known: T[] = [];
  for (const one of packages) {
    const versions = await versionsOf(one.name, registryArgs);
    if (typeof versions === 'string') refusals.push(versions);
    else if (versions === undefined) unknown.push(one);
    else if (!versions.includes(one.version)) known.push(one);
  }
  if (first && unknown.length > 0 && !(await hasLogin(registryArgs)))
    refusals.push(
      'npm has no token: --first publishes as a member of the npm organization. Run `npm login`, or set NODE_AUTH_TOKEN in the release workflow',
    );
  if (!first && unknown.length > 0)
    refusals.push(
      `npm has no package ${unknown.map(({ name }) => name).join(', ')}, and trusts a workflow only for packages that exist. ` +
        'Publish their first version with a token: npm run release -- --publish --first',
    );
  return { waiting: first ? unknown : known, refusals };
}

/** The versions of a package; undefined if there is no such package; a text if the registry does not say. */
async function versionsOf(
  name: string,
  registryArgs: readonly string[],
): Promise<readonly string[] | string | undefined> {
  const args = ['view', name, 'versions', '--json', '--prefer-online', '--loglevel=error', ...registryArgs];
  const { status, stdout, stderr } = await runNpm(args);
  if (status !== 0) return /E404/u.test(stdout + stderr) ? undefined : `npm view ${name} failed\n${stderr}`;
  const versions: string | readonly string[] = JSON.parse(stdout);
  return typeof versions === 'string' ? [versions] : versions;
}

async function hasLogin(registryArgs: readonly string[]): Promise<boolean> {
  return (await runNpm(['whoami', '--loglevel=error', ...registryArgs])).status === 0;
}

/** The commands after the first publication: from then on npm trusts the release workflow, and the token can go. */
export function trustCommands(names: readonly string[], address: string): readonly string[] {
  const repository = new URL(address).pathname.slice(1);
  const flags = `--file release.yml --repo ${repository} --env release --allow-publish --yes`;
  return names.map((name) => `npm trust github ${name} ${flags}`);
}
