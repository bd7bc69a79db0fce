import type { VitestPluginContext } from 'vitest/node';
import { plantedFaults } from './planted-faults.mjs';

/** What is done to the sources while a test runs. It is a global, because vitest loads its configuration apart. */
export interface SourceEdits {
  /** The text of a file, or undefined for one that stays as it is. */
  edited(file: string, source: string): string | undefined;
  isTouched(file: string): boolean;
}

export const SOURCE_EDITS = Symbol.for('listwatch.sourceEdits');

function currentEdits(): SourceEdits | undefined {
  const edits: SourceEdits | undefined = Reflect.get(globalThis, SOURCE_EDITS);
  return edits;
}

/** Lets vitest see sources as `SourceEdits` has them, and keeps these out of its cache. */
export function faultPlugin(): object {
  return {
    name: 'listwatch:faults',
    enforce: 'pre',
    // The cache of all other files stays that of `npm test`.
    api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
    configureVitest({ experimental_defineCacheKeyGenerator: define }: VitestPluginContext) {
      define(({ id }) => (currentEdits()?.isTouched(id) === true ? false : undefined));
    },
    transform(source: string, id: string) {
      const code = currentEdits()?.edited(id, source);
      return code === undefined ? undefined : { code, map: null };
    },
  };
}

/** The source with a note in each of its functions that it was run. */
export function withHits(source: string, file: string): string {
  let code = source;
  for (const { place, offset } of plantedFaults(source).places.toSorted((a, b) => b.offset - a.offset)) {
    const note = `globalThis.__vitest_fault_hits?.add(${JSON.stringify(`${file}#${place}`)});`;
    code = code.slice(0, offset) + note + code.slice(offset);
  }
  return code;
}
