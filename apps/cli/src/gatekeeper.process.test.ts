/** Gatekeeper, a policy engine that other people run, with its webhooks on our server and on a kube-apiserver. */

import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { type ApiObject, resource } from '@listwatch/api';
import { applyYaml, type Cluster, connect } from '@listwatch/client';
import { findRealPart, freePorts, KubeProgram, needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { configMaps, deployments, namespaces, pods, secrets, validatingAdmissionPolicies } from '@listwatch/kinds';
import { exists, fieldIs, waitFor } from '@listwatch/runtime';
import { load, loadAll } from 'js-yaml';
import { describe, expect, it, vi } from 'vitest';
import { ListwatchProcess } from './serve/serve-process.fixture.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';

const SLOW = 400_000;
const WAIT = { timeout: 120_000, interval: 200 };
const LONG = { timeoutMs: 120_000 };
const SYSTEM = 'gatekeeper-system';
const ACCOUNT = 'gatekeeper-admin';
const newFolder = temporaryFolders();

/** Decoded YAML or JSON of which the test changes members. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const templates = resource<ApiObject & { readonly status?: { readonly created?: boolean } }>({
  group: 'templates.gatekeeper.sh',
  version: 'v1',
  plural: 'constrainttemplates',
  kind: 'ConstraintTemplate',
  namespaced: false,
});

/** Policies in its own language, in CEL for our server to evaluate, and a mutation. */
const TEMPLATES = `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: needslabel }
spec:
  crd:
    spec:
      names: { kind: NeedsLabel }
      validation: { openAPIV3Schema: { type: object, properties: { label: { type: string } } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      rego: |
        package needslabel
        violation[{"msg": text}] {
          not input.review.object.metadata.labels[input.parameters.label]
          text := sprintf("the label %v is missing", [input.parameters.label])
        }
---
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: fewkeys }
spec:
  crd: { spec: { names: { kind: FewKeys } } }
  targets:
    - target: admission.k8s.gatekeeper.sh
      code:
        - engine: K8sNativeValidation
          source:
            generateVAP: true
            validations:
              - expression: '!has(variables.anyObject.data) || variables.anyObject.data.size() < 3'
                message: too many keys
`;
const CONSTRAINTS = `
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: NeedsLabel
metadata: { name: needs-owner }
spec:
  match: { kinds: [{ apiGroups: [''], kinds: [ConfigMap] }], namespaces: [default] }
  parameters: { label: owner }
---
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: FewKeys
metadata: { name: few-keys }
spec:
  match: { kinds: [{ apiGroups: [''], kinds: [ConfigMap] }], namespaces: [default] }
---
apiVersion: mutations.gatekeeper.sh/v1
kind: AssignMetadata
metadata: { name: team }
spec:
  match: { scope: Namespaced, kinds: [{ apiGroups: [''], kinds: [ConfigMap] }], namespaces: [default] }
  location: metadata.labels.team
  parameters: { assign: { value: blue } }
`;

interface Story extends AsyncDisposable {
  readonly kubeconfig: string;
  readonly cluster: Cluster;
}

async function startOwn(): Promise<Story> {
  const server = new ListwatchProcess(['serve', '--storage', 'memory', '--port', '0'], newFolder());
  const { kubeconfig } = await server.ready();
  return storyOf(kubeconfig, server);
}

async function startReal(): Promise<Story> {
  const server = await startKubeApiserver();
  return storyOf(server.kubeconfig, server);
}

async function storyOf(kubeconfig: string, server: AsyncDisposable): Promise<Story> {
  const cluster = await connect({ kubeconfig, namespace: 'default' });
  return {
    kubeconfig,
    cluster,
    async [Symbol.asyncDispose]() {
      await cluster.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What the project installs, but its Service leads to this machine, where the program is no pod. */
function manifests(port: number): readonly object[] {
  const documents: Json[] = loadAll(readFileSync(process.env['GATEKEEPER_MANIFEST'] ?? '', 'utf8'));
  for (const document of documents) {
    if (document.kind === 'Service') document.spec = { type: 'ExternalName', externalName: 'localhost' };
    for (const { clientConfig } of document.webhooks ?? []) clientConfig.service.port = port;
  }
  return documents;
}

/** A kubeconfig with the rights of its ServiceAccount: what is missing in its ClusterRole is refused. */
function asAccount(kubeconfig: string, folder: string): string {
  const config: Json = load(readFileSync(kubeconfig, 'utf8'));
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${SYSTEM}`, 'system:authenticated'];
  for (const { user } of config.users) {
    user.as = `system:serviceaccount:${SYSTEM}:${ACCOUNT}`;
    user['as-groups'] = groups;
  }
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** Mounts the certificate that the program has put into its Secret, as a kubelet would. */
async function mountCertificate(cluster: Cluster, folder: string): Promise<void> {
  const { data = {} } = await vi.waitFor(async () => {
    const secret = await cluster.get(secrets, { namespace: SYSTEM, name: 'gatekeeper-webhook-server-cert' });
    expect(Object.keys(secret.data ?? {})).toContain('tls.crt');
    return secret;
  }, WAIT);
  for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), Buffer.from(text, 'base64'));
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
}

interface Written {
  readonly labels?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string>>;
}

/** The labels of the object, or why it is refused. */
async function outcomeOf(cluster: Cluster, name: string, { labels = {}, data = {} }: Written): Promise<unknown> {
  try {
    const body = { metadata: { namespace: 'default', name, labels }, data };
    return (await cluster.create(configMaps, body, { dryRun: true })).metadata.labels ?? {};
  } catch (error) {
    return String(error);
  }
}

async function tell({ cluster, kubeconfig }: Story): Promise<readonly unknown[]> {
  const folder = newFolder();
  const [port = 0, health = 0] = await freePorts(2);
  await applyYaml(cluster, manifests(port));
  // The program asks for its own pod: the first of its Deployment, which has the security that its namespace demands.
  const { spec } = await cluster.get(deployments, { namespace: SYSTEM, name: 'gatekeeper-controller-manager' });
  const pod = 'gatekeeper-controller-manager-0';
  const template = spec?.template;
  if (template?.spec === undefined) throw new TypeError('the Deployment of gatekeeper has no pods');
  const metadata = { ...template.metadata, namespace: SYSTEM, name: pod };
  await cluster.create(pods, { metadata, spec: template.spec });
  const outcomes: unknown[] = [];
  const owned = { owner: 'ada' };
  {
    await using program = new KubeProgram(
      'gatekeeper',
      [
        `--kubeconfig=${asAccount(kubeconfig, folder)}`,
        `--port=${port}`,
        '--host=127.0.0.1',
        `--health-addr=127.0.0.1:${health}`,
        `--cert-dir=${folder}`,
        `--exempt-namespace=${SYSTEM}`,
        '--default-wait-for-vapb-generation=1',
      ],
      { POD_NAME: pod, POD_NAMESPACE: SYSTEM, NAMESPACE: SYSTEM, CONTAINER_NAME: 'manager' },
    );
    await mountCertificate(cluster, folder);
    await vi.waitFor(async () => expect(await statusOf(`http://127.0.0.1:${health}/readyz`)).toBe(200), WAIT);
    await applyYaml(cluster, TEMPLATES);
    for (const own of ['needslabel', 'fewkeys']) {
      await waitFor(cluster, templates, { name: own }, fieldIs('{.status.created}', true), LONG);
    }
    await applyYaml(cluster, CONSTRAINTS);
    await waitFor(cluster, validatingAdmissionPolicies, { name: 'gatekeeper-fewkeys' }, exists, LONG);
    await vi.waitFor(async () => {
      expect(await outcomeOf(cluster, 'a', {})).toContain('the label owner is missing');
      expect(await outcomeOf(cluster, 'a', { labels: owned })).toEqual({ ...owned, team: 'blue' });
      const many = { labels: owned, data: { a: '', b: '', c: '' } };
      expect(await outcomeOf(cluster, 'a', many)).toContain('ValidatingAdmissionPolicy');
    }, WAIT);
    outcomes.push(
      await outcomeOf(cluster, 'a', {}),
      await outcomeOf(cluster, 'a', { labels: owned }),
      await outcomeOf(cluster, 'a', { labels: owned, data: { a: '', b: '', c: '' } }),
      // Its own configuration cannot switch it off: this hook has failurePolicy Fail.
      await cluster
        .create(namespaces, { metadata: { name: 'x', labels: { 'admission.gatekeeper.sh/ignore': 'yes' } } })
        .then(() => 'taken', String),
      // A template that does not compile is refused by it when it is written.
      await applyYaml(cluster, TEMPLATES.replaceAll('needslabel', 'broken').replace('package broken', 'pack age')).then(
        () => 'taken',
        (error: unknown) => String(error).includes('validation.gatekeeper.sh'),
      ),
    );
    const kept = await cluster.create(configMaps, { metadata: { namespace: 'default', name: 'kept', labels: owned } });
    outcomes.push(kept.metadata.labels);
    const body = { metadata: { labels: { owner: null } } };
    outcomes.push(
      await cluster
        .patch(configMaps, { namespace: 'default', name: 'kept' }, { type: 'merge', body })
        .then(() => 'taken', String),
    );
    expect(program.isRunning).toBe(true);
  }
  // It is gone: Ignore lets ConfigMaps pass, the policy of the server still refuses, and Fail lets no Namespace pass.
  outcomes.push(
    await outcomeOf(cluster, 'b', {}),
    await outcomeOf(cluster, 'b', { data: { a: '', b: '', c: '' } }),
    await cluster.create(namespaces, { metadata: { name: 'y' } }).then(() => 'taken', String),
  );
  return outcomes.map((outcome) => JSON.parse(JSON.stringify(outcome).replaceAll(String(port), 'PORT')));
}

describe('gatekeeper', () => {
  it('refuses and changes what its policies say, and its policies for the server work without it', {
    ...needs('gatekeeper'),
    timeout: SLOW,
  }, async () => {
    await using own = await startOwn();
    const outcomes = await tell(own);
    expect(outcomes).toEqual([
      expect.stringContaining(
        'admission webhook "validation.gatekeeper.sh" denied the request: [needs-owner] the label owner is missing',
      ),
      { owner: 'ada', team: 'blue' },
      expect.stringContaining("ValidatingAdmissionPolicy 'gatekeeper-fewkeys' with binding"),
      expect.stringContaining('admission webhook "check-ignore-label.gatekeeper.sh" denied the request'),
      true,
      { owner: 'ada', team: 'blue' },
      expect.stringContaining('the label owner is missing'),
      {},
      expect.stringContaining('too many keys'),
      expect.stringContaining('failed calling webhook "check-ignore-label.gatekeeper.sh"'),
    ]);
    if (findRealPart('kube-apiserver') === undefined) return;
    await using real = await startReal();
    expect(outcomes).toEqual(await tell(real));
  });
});
