import { fileURLToPath } from 'node:url';
import { findRealPart, needs, type RealPartName } from '@listwatch/conformance/parts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ClientProgram, type ProgramCommand } from './client-program.ts';
import { browserProgram } from './clients.ts';
import { NAMESPACE } from './collection.ts';
import type { Examinee } from './examinee.ts';
import { startInteropServer } from './interop-server.ts';
import { STEPS } from './result.ts';
import { runScenario, SHORT } from './scenario.ts';
import { kubectlOnPath } from './toolchains.ts';

interface ShortClient {
  readonly title: string;
  /** What it needs besides Node. */
  readonly part: RealPartName | undefined;
  readonly program: () => ProgramCommand;
}

const CLIENT_NODE = fileURLToPath(new URL('../client-node/main.mjs', import.meta.url));
const CLIENTS: readonly ShortClient[] = [
  { title: 'kubectl', part: 'kubectl', program: kubectlOnPath },
  {
    title: '@kubernetes/client-node',
    part: undefined,
    // The one that is installed for this repository.
    program: () => ({ command: process.execPath, args: [CLIENT_NODE, '@kubernetes/client-node'] }),
  },
  { title: 'Chromium', part: 'Chromium', program: browserProgram },
];

/** All clients at once: one server is cut, killed and made forgetful for all of them. */
async function runAll(): Promise<ReadonlyMap<string, Examinee>> {
  await using server = await startInteropServer('lmdb');
  const present = CLIENTS.filter(({ part }) => part === undefined || findRealPart(part) !== undefined);
  const environment = { ...server.environment, INTEROP_NAMESPACE: NAMESPACE };
  const programs = present.map(({ program }) => new ClientProgram(program(), environment));
  try {
    const found = await runScenario(server, programs, SHORT);
    return new Map(found.map((examinee, index) => [present[index]?.title ?? '', examinee]));
  } finally {
    await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()));
  }
}

describe('the short scenario of interop/README.md', () => {
  let examinees: ReadonlyMap<string, Examinee>;

  beforeAll(async () => {
    examinees = await runAll();
  }, 300_000);

  for (const { title, part } of CLIENTS) {
    it(`shows ${title} what the server has, in every step`, part === undefined ? {} : needs(part), () => {
      const { findings = [], views = [] } = examinees.get(title) ?? {};
      expect(findings.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
      expect(views).not.toEqual([]);
      const steps = new Set(findings.map(({ step }) => step));
      expect(STEPS.filter((step) => step !== 'own' && !steps.has(step))).toEqual([]);
    });
  }
});
