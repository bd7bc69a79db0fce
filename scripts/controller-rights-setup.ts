/**
 * Runs around each test file, and fails the file when a controller has used a right that its default roles lack, also where everybody
 * may do everything and with the controllers of programs that the file has started.
 */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { noteRights } from './controller-rights.mjs';

/** Programs make it when they have something to leave. */
const folder = join(tmpdir(), `listwatch-rights-${process.pid}`);
process.env['TEST_CONTROLLER_RIGHTS'] = folder;

const rights = new Set<string>();
let stop = (): void => {};

beforeAll(() => {
  stop = noteRights(rights);
});

afterAll(async () => {
  stop();
  const found = [...rights, ...rightsOfPrograms()];
  rights.clear();
  if (found.length === 0) return;
  const { lackingRights } = await import('../packages/controllers/test/granted-rights.fixture.ts');
  expect(lackingRights(found), 'rights that controllers use and that their default roles lack').toEqual([]);
});

function rightsOfPrograms(): readonly string[] {
  if (!existsSync(folder)) return [];
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  rmSync(folder, { recursive: true });
  return lines;
}
