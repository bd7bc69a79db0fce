/** End-to-end tests of Kubernetes, as they are published, against `listwatch serve`. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs, requireRealPart } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { ListwatchProcess } from './serve/serve-process.fixture.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';

const SLOW = 300_000;
const newFolder = temporaryFolders();

/** A test in Ginkgo's report. */
interface SpecReport {
  readonly LeafNodeText: string;
  readonly State: string;
  readonly Failure?: { readonly Message: string };
}

/** Runs the tests whose names match, but for those that Kubernetes itself calls flaky. Gives the names of the passed ones, sorted. */
async function passed(focus: string): Promise<readonly string[]> {
  const folder = newFolder();
  await using server = new ListwatchProcess(['serve', '--storage', 'memory', '--port', '0'], folder);
  const { kubeconfig } = await server.ready();
  const report = join(folder, 'report.json');
  const flags = [
    '-kubeconfig',
    kubeconfig,
    '-ginkgo.focus',
    focus,
    '-ginkgo.skip',
    'Flaky',
    '-ginkgo.json-report',
    report,
  ];
  const child = spawn(requireRealPart('e2e-specs'), [...flags, '-kubectl-path', 'kubectl'], {
    cwd: folder,
    stdio: 'ignore',
    // kubectl keeps discovery there: that of another server on the same port would be taken for this one's.
    env: { ...process.env, HOME: folder },
  });
  await once(child, 'close');
  const [{ SpecReports: specs }]: readonly [{ readonly SpecReports: readonly SpecReport[] }] = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const failures = specs.filter(({ State }) => !['passed', 'skipped'].includes(State));
  expect(failures.map(({ LeafNodeText, Failure }) => [LeafNodeText, Failure?.Message])).toEqual([]);
  const names = specs.filter(({ State }) => State === 'passed').map(({ LeafNodeText }) => LeafNodeText);
  return names.filter((name) => name !== '').toSorted();
}

describe("Kubernetes' end-to-end tests", needs('e2e-specs'), () => {
  it(
    'of flow control pass: requests are classified by a new FlowSchema and level',
    async () => {
      // The two that wait for more users than a test has are skipped by Kubernetes.
      expect(await passed('API priority and fairness')).toEqual([
        'should ensure that requests can be classified by adding FlowSchema and PriorityLevelConfiguration',
        'should support FlowSchema API operations [Conformance]',
        'should support PriorityLevelConfiguration API operations [Conformance]',
      ]);
    },
    SLOW,
  );

  it(
    'of ServiceCIDRs and IPAddresses pass',
    async () => {
      expect(await passed('ServiceCIDR and IPAddress API')).toEqual([
        'should support IPAddress API operations [Conformance]',
        'should support ServiceCIDR API operations [Conformance]',
      ]);
    },
    SLOW,
  );

  it(
    'of OpenAPI of custom kinds pass, with kubectl explain of their fields and metadata',
    async () => {
      const names = await passed('CustomResourcePublishOpenAPI');
      expect(names).toHaveLength(9);
      expect(names).toContain('works for CRD with validation schema [Conformance]');
    },
    SLOW,
  );

  it(
    'of admission policies pass: bindings, variables, mutations, type warnings',
    async () => {
      expect(await passed('AdmissionPolicy')).toEqual([
        'should allow expressions to refer variables. [Conformance]',
        'should mutate a Deployment [Conformance]',
        'should mutate a Deployment with annotations [Conformance]',
        'should support MutatingAdmissionPolicy API operations [Conformance]',
        'should support MutatingAdmissionPolicyBinding API operations [Conformance]',
        'should support ValidatingAdmissionPolicy API operations [Conformance]',
        'should support ValidatingAdmissionPolicyBinding API operations [Conformance]',
        'should type check a CRD',
        'should type check validation expressions',
        'should validate against a Deployment [Conformance]',
      ]);
    },
    SLOW,
  );
});
