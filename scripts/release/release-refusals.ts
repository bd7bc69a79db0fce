export interface ReleaseFacts {
  readonly address: string | undefined;
  readonly version: string;
  readonly changelog: string;
  /** Files of .changeset that no release has told of. */
  readonly changes: readonly string[];
  readonly isClean: boolean;
  /** The tags of the commit that would be published. */
  readonly tags: readonly string[];
  /** The versions whose stores and checkpoints later versions are tested with. */
  readonly upgradeFixtures: readonly string[];
}

/** Why this commit cannot be published. Empty when it can. */
export function releaseRefusals({
  address,
  version,
  changelog,
  changes,
  isClean,
  tags,
  upgradeFixtures,
}: ReleaseFacts): readonly string[] {
  const section = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)`, 'mu');
  const refusals: readonly (string | false)[] = [
    address === undefined &&
      'the address of the project is undecided: set PROJECT_ADDRESS in scripts/release/project-address.ts',
    address !== undefined && !/^https:\/\/[^/]+\/.+[^/]$/u.test(address) && `${address} is not https://HOST/OWNER/NAME`,
    changes.length > 0 && `.changeset has ${changes.length} changes: npm run release:version`,
    !section.test(changelog) && `CHANGELOG.md has no section "## ${version} (DATE)"`,
    !upgradeFixtures.includes(version) &&
      `scripts/upgrade/fixtures has no ${version}, so no later version would be tested with what it writes: npm run upgrade:fixture`,
    !isClean && 'the working tree has changes: commit them',
    !tags.includes(`v${version}`) && `this commit has no tag v${version}`,
  ];
  return refusals.filter((refusal) => refusal !== false);
}
