/** End-to-end specs of Kubernetes, as published: those about admission policies, which need no running Pods. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KubeProgram, needs } from '@listwatch/conformance/parts';
import { expect, it, vi } from 'vitest';
import { ListwatchProcess } from './serve/serve-process.fixture.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';

const SLOW = 300_000;
const newFolder = temporaryFolders();

/** What Ginkgo says of a spec. */
interface Spec {
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly ContainerHierarchyTexts: readonly string[];
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

/** `[sig-api-machinery]`, `[Conformance]` and the like. */
const LABELS = /\[[\w:-]+\] ?/gu;

/** The specs of a report: what they are about, and how they ended. */
function endsOf(report: string): readonly string[] {
  const suites: readonly { readonly SpecReports: readonly Spec[] }[] = JSON.parse(readFileSync(report, 'utf8'));
  return suites
    .flatMap(({ SpecReports }) => SpecReports.filter(({ LeafNodeType }) => LeafNodeType === 'It'))
    .map(({ ContainerHierarchyTexts: [about = ''], LeafNodeText, State, Failure }) =>
      [about, LeafNodeText, State, Failure?.Message ?? ''].join(' ').replace(LABELS, '').trim(),
    )
    .toSorted();
}

/** The specs that both kinds have. */
function both(kind: string): readonly string[] {
  return [
    `${kind} should support ${kind} API operations passed`,
    `${kind} should support ${kind}Binding API operations passed`,
  ];
}

it('the specs of Kubernetes about admission policies pass', { ...needs('kubernetes-e2e'), timeout: SLOW }, async () => {
  const folder = newFolder();
  await using server = new ListwatchProcess(['serve', '--storage', 'memory', '--port', '0'], folder);
  const { kubeconfig } = await server.ready();
  const report = join(folder, 'report.json');
  const flags = ['--kubeconfig', kubeconfig, `--ginkgo.json-report=${report}`, '--ginkgo.no-color'];
  await using specs = new KubeProgram('kubernetes-e2e', flags);
  await vi.waitFor(() => expect(specs.isRunning).toBe(false), { timeout: SLOW, interval: 200 });
  expect(endsOf(report)).toEqual([
    'MutatingAdmissionPolicy should mutate a Deployment passed',
    'MutatingAdmissionPolicy should mutate a Deployment with annotations passed',
    ...both('MutatingAdmissionPolicy'),
    'ValidatingAdmissionPolicy should allow expressions to refer variables. passed',
    ...both('ValidatingAdmissionPolicy'),
    'ValidatingAdmissionPolicy should type check a CRD passed',
    'ValidatingAdmissionPolicy should type check validation expressions passed',
    'ValidatingAdmissionPolicy should validate against a Deployment passed',
  ]);
});
