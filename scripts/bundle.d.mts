/** The types of `bundle.mjs`, which runs before there is anything that could compile it. */

import type { BuildResult } from 'esbuild';
import type { SourceManifest } from './release/published-manifest.ts';

export interface PublicPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: SourceManifest;
}

export function publicPackages(): readonly PublicPackage[];

export function bundle(of: PublicPackage): Promise<BuildResult<{ metafile: true; write: false }>>;
