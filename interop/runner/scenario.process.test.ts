import { fileURLToPath } from 'node:url';
import { findRealPart, isLongRun, needs, type RealPartName } from '@listwatch/conformance/parts';
import { beforeAll, describe, expect, it } from 'vitest';
import { ClientProgram, type ProgramCommand } from './client-program.ts';
import { browserProgram } from './clients.ts';
import { NAMESPACE } from './collection.ts';
import type { Examinee } from './examinee.ts';
import { startFaultyProxy } from './faulty-proxy.fixture.ts';
import { type InteropServer, startInteropServer } from './interop-server.ts';
import { type PlantedFault, requestFaults, watchFaults } from './planted-faults.fixture.ts';
import { STEPS } from './result.ts';
import { type Candidate, runScenario, SHORT } from './scenario.ts';
import { kubectlOnPath } from './toolchains.ts';

interface ShortClient {
  readonly title: string;
  /** What it needs besides Node. */
  readonly part: RealPartName | undefined;
  readonly program: () => ProgramCommand;
  /** What is wrong with the server that it talks to. */
  readonly faults?: readonly PlantedFault[];
}

const CLIENT_NODE = fileURLToPath(new URL('../client-node/main.mjs', import.meta.url));
// The one that is installed for this repository.
const clientNode = (): ProgramCommand => ({
  command: process.execPath,
  args: [CLIENT_NODE, '@kubernetes/client-node'],
});

const CLIENTS: readonly ShortClient[] = [
  { title: 'kubectl', part: 'kubectl', program: kubectlOnPath },
  { title: '@kubernetes/client-node', part: undefined, program: clientNode },
  { title: 'Chromium', part: 'Chromium', program: browserProgram },
];
const FAULTY: readonly (ShortClient & { readonly faults: readonly PlantedFault[] })[] = [
  {
    title: 'kubectl with faulty requests',
    // A process for each request.
    part: isLongRun ? 'kubectl' : 'time',
    program: kubectlOnPath,
    faults: requestFaults(),
  },
  { title: 'client-node with faulty requests', part: undefined, program: clientNode, faults: requestFaults() },
  { title: 'client-node with faulty watches', part: undefined, program: clientNode, faults: watchFaults() },
];
/** A view that is never equal costs all of it. Lateness can add to what a finding says, and never takes anything away. */
const FAULTY_VIEW_MS = 2500;

async function candidateOf(
  { program, faults }: ShortClient,
  server: InteropServer,
  open: AsyncDisposable[],
): Promise<Candidate> {
  const start = (environment: Readonly<Record<string, string>>): ClientProgram => {
    const started = new ClientProgram(program(), { ...environment, INTEROP_NAMESPACE: NAMESPACE });
    open.unshift(started);
    return started;
  };
  if (faults === undefined) return { program: start(server.environment) };
  const planted = faults.map(({ fault }) => fault);
  const proxy = await startFaultyProxy(server.proxy.port, server.facts.token, planted);
  open.unshift(proxy);
  return { program: start(proxy.environment), viewLimitMs: FAULTY_VIEW_MS };
}

/** All clients at once: one server is cut, killed and made forgetful for all of them. */
async function runAll(): Promise<ReadonlyMap<string, Examinee>> {
  await using server = await startInteropServer('lmdb');
  const present = [...CLIENTS, ...FAULTY].filter(({ part }) => part === undefined || findRealPart(part) !== undefined);
  const open: AsyncDisposable[] = [];
  try {
    const candidates: Candidate[] = [];
    for (const client of present) candidates.push(await candidateOf(client, server, open));
    const found = await runScenario(server, candidates, SHORT);
    return new Map(found.map((examinee, index) => [present[index]?.title ?? '', examinee]));
  } finally {
    for (const one of open) await one[Symbol.asyncDispose]();
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

  for (const { title, part, faults } of FAULTY) {
    describe(title, part === undefined ? {} : needs(part), () => {
      it.each(faults)('catches $what in the step $step', ({ step, part: place, text }) => {
        const findings = examinees.get(title)?.findings ?? [];
        const finding = findings.find((one) => one.step === step && one.part === place);
        expect(finding).toMatchObject({ outcome: 'failed', text: expect.stringContaining(text) });
      });
    });
  }

  it('finds nothing wrong with the requests of a client whose watches are faulty', () => {
    const { findings = [] } = examinees.get('client-node with faulty watches') ?? {};
    const requests = findings.filter(({ part }) => !part.startsWith('informer'));
    expect(requests.map(({ outcome }) => outcome)).toEqual(requests.map(() => 'passed'));
    expect(requests.length).toBeGreaterThan(8);
  });
});
