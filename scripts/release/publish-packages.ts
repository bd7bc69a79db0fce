import type { PackedPackage } from './pack-packages.ts';
import { planPublishing } from './publish-plan.ts';
import { runNpm } from './run-npm.ts';

export interface PublishOptions {
  /** Publish only the packages that npm has never seen, with a token. */
  readonly first: boolean;
  /** Further arguments of `npm publish`, and of the question whether a version is there already. */
  readonly publishArgs: readonly string[];
  readonly registryArgs: readonly string[];
  readonly say: (line: string) => void;
}

/**
 * Publishes one package after the other, and gives what went wrong. What an interrupted release has published is left out, so that
 * the next run goes on behind it.
 */
export async function publishPackages(
  packed: readonly PackedPackage[],
  { first, publishArgs, registryArgs, say }: PublishOptions,
): Promise<readonly string[]> {
  const { waiting, refusals } = await planPublishing(packed, { first, registryArgs });
  if (refusals.length > 0) return refusals;
  for (const { name, version } of packed.filter((one) => !waiting.includes(one)))
    say(`${name}@${version} is left out: ${first ? 'npm has this package' : 'it is published'}`);
  for (const { name, version, tarball } of waiting) {
    say(`publishing ${name}@${version}`);
    const { status, stderr } = await runNpm([
      'publish',
      tarball,
      '--access',
      'public',
      '--loglevel=error',
      ...publishArgs,
      ...registryArgs,
    ]);
    if (status !== 0)
      return [`npm publish failed for ${name}: run the release again when the cause is gone\n${stderr}`];
  }
  return [];
}
