/** The types of `bundle.mjs`, which runs before there is anything that could compile it. */

import type { BuildResult } from 'esbuild';

export interface PublicPackage {
  readonly name: string;
  readonly folder: string;
  readonly manifest: { readonly exports: Readonly<Record<string, unknown>> };
}

export function publicPackages(): readonly PublicPackage[];

export function bundle(of: PublicPackage): Promise<BuildResult<{ metafile: true; write: false }>>;
