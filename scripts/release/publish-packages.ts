import type { PackedPackage } from './pack-packages.ts';
import { runNpm } from './run-npm.ts';

export interface PublishOptions {
  /** Further arguments of `npm publish`, and of the question whether a version is there already. */
  readonly publishArgs: readonly string[];
  readonly registryArgs: readonly string[];
  readonly say: (line: string) => void;
}

/**
 * Publishes one package after the other, and gives what went wrong. npm never takes a version twice: what an interrupted release
 * has published is left out, so that the next run goes on behind it.
 */
export async function publishPackages(
  packed: readonly PackedPackage[],
  { publishArgs, registryArgs, say }: PublishOptions,
): Promise<readonly string[]> {
  for (const { name, version, tarball } of packed) {
    if (await isPublished(`${name}@${version}`, registryArgs)) {
      say(`${name}@${version} is published already`);
      continue;
    }
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

async function isPublished(spec: string, registryArgs: readonly string[]): Promise<boolean> {
  const { status, stdout } = await runNpm([
    'view',
    spec,
    'version',
    '--prefer-online',
    '--loglevel=error',
    ...registryArgs,
  ]);
  return status === 0 && stdout.trim() !== '';
}
