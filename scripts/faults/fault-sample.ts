import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LEFT_OUT_TESTS } from './fault-areas.ts';
import { isSyntax, type PlantedFault, plantedFaults } from './planted-faults.mjs';

export interface SampledFault extends PlantedFault {
  readonly file: string;
  /** The file as it was when the fault was found: somebody may edit it meanwhile. */
  readonly source: string;
  /** The same for the same edit of the same line, wherever it stands in its file. */
  readonly id: string;
}

/** The files below `paths` that `isWanted`, from the root. */
export function filesBelow(root: string, paths: readonly string[], isWanted: (file: string) => boolean): string[] {
  return paths
    .flatMap((path) => {
      if (statSync(join(root, path)).isFile()) return [path];
      const names = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' });
      return names.map((name) => join(path, name));
    })
    .filter((file) => !/(?:^|\/)(?:node_modules|dist)\//u.test(file) && isWanted(file))
    .toSorted();
}

export function isSource(file: string): boolean {
  return file.endsWith('.ts') && !/\.(?:test|test-d|fixture)\.ts$/u.test(file);
}

export function isTest(file: string): boolean {
  return file.endsWith('.test.ts') && !LEFT_OUT_TESTS.some((pattern) => pattern.test(file));
}

/**
 * Some of the faults of these files, drawn by `seed`. Each has its own lot, so that an edit somewhere changes the sample only there:
 * a rate can be compared with that of the week before.
 */
export function sampleFaults(
  root: string,
  files: readonly string[],
  count: number,
  seed: number,
): readonly SampledFault[] {
  const all = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const lines = source.split('\n');
    const seen = new Map<string, number>();
    return plantedFaults(source).faults.map((fault) => {
      const key = `${file} ${fault.place} ${lines[fault.line - 1]?.trim()} ${fault.what} ${fault.replacement}`;
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      return { ...fault, file, source, id: createHash('sha256').update(`${key} ${times}`).digest('hex').slice(0, 16) };
    });
  });
  const lot = ({ id }: SampledFault): string => createHash('sha256').update(`${seed} ${id}`).digest('hex');
  const lots = new Map(all.map((fault) => [fault, lot(fault)]));
  const drawn: SampledFault[] = [];
  for (const fault of all.toSorted((a, b) => ((lots.get(a) ?? '') < (lots.get(b) ?? '') ? -1 : 1))) {
    if (drawn.length === count) break;
    if (isSyntax(faultySource(fault))) drawn.push(fault);
  }
  return drawn;
}

/** The file with its fault. */
export function faultySource({ source, start, end, replacement }: SampledFault): string {
  return source.slice(0, start) + replacement + source.slice(end);
}

/** How many faults there are to draw from. */
export function countFaults(root: string, files: readonly string[]): number {
  return files.reduce((sum, file) => sum + plantedFaults(readFileSync(join(root, file), 'utf8')).faults.length, 0);
}
