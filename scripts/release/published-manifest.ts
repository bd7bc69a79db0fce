/** What `package.json` says in the registry. The one of the sources has what only this repository needs. */
import { MAIN_BRANCH } from './project-address.ts';

export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly description?: string;
  readonly files?: readonly string[];
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly sideEffects?: boolean | readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface PublishedManifest extends Omit<SourceManifest, 'devDependencies'> {
  readonly repository: { readonly type: 'git'; readonly url: string; readonly directory: string };
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly publishConfig: { readonly access: 'public'; readonly provenance: true };
}

/** `directory` is the package's folder within the repository, with `/`. npm compares `repository` with the provenance. */
export function publishedManifest(source: SourceManifest, directory: string, address: string): PublishedManifest {
  // They name private packages, and tell a reader nothing about what is installed.
  const { devDependencies: _, ...manifest } = source;
  return {
    ...manifest,
    repository: { type: 'git', url: `git+${address}.git`, directory },
    homepage: `${address}/tree/${MAIN_BRANCH}/${directory}#readme`,
    bugs: { url: `${address}/issues` },
    publishConfig: { access: 'public', provenance: true },
  };
}
