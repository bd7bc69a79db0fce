/** The admission webhook of cert-manager on our server and on a kube-apiserver: the same answers. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiObject, resource } from '@listwatch/api';
import { applyYaml, type Cluster, connect } from '@listwatch/client';
import { findRealPart, KubeProgram, needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { secrets } from '@listwatch/kinds';
import { describe, expect, it, vi } from 'vitest';
import { ListwatchProcess } from './serve/serve-process.fixture.ts';
import { temporaryFolders } from './temporary-folder.fixture.ts';

const SLOW = 300_000;
const WAIT = { timeout: 90_000, interval: 200 };
const SYSTEM = 'cert-manager';
const AUTHORITY = 'cert-manager-webhook-ca';
const newFolder = temporaryFolders();

interface CustomObject extends ApiObject {
  readonly spec: Readonly<Record<string, unknown>>;
}

const GROUP = { group: 'cert-manager.io', version: 'v1', namespaced: true } as const;
const certificates = resource<CustomObject>({ ...GROUP, plural: 'certificates', kind: 'Certificate' });
const requests = resource<CustomObject>({ ...GROUP, plural: 'certificaterequests', kind: 'CertificateRequest' });

/** For a.example.com; its key was thrown away. */
const CSR = `-----BEGIN CERTIFICATE REQUEST-----
MIH/MIGlAgEAMBgxFjAUBgNVBAMMDWEuZXhhbXBsZS5jb20wWTATBgcqhkjOPQIB
BggqhkjOPQMBBwNCAARrn2MzV2Q4+4tTfldIJbXUxrm0f1qovnT5ZAXvx1CdIvDK
EHJV4aeDZD1rOI29Xiw4bxF7TxPPn8DqT36Sd2w4oCswKQYJKoZIhvcNAQkOMRww
GjAYBgNVHREEETAPgg1hLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0kAMEYCIQDM
tAQuiD2lKThBTlGZKFJ4qbuX58GawHDK/KAK1v4l6AIhAMO920l/g1Ihe/uyLyQO
dYEbrpgIWXUfiI/gZ09KYtQm
-----END CERTIFICATE REQUEST-----
`;

/** As the project configures it, but by URL: the program is no pod. */
function configurations(url: string, caBundle: string): readonly object[] {
  const webhook = (
    path: string,
    apiGroups: readonly string[],
    operations: readonly string[],
    resources: string,
  ): object => ({
    name: 'webhook.cert-manager.io',
    rules: [{ apiGroups, apiVersions: ['v1'], operations, resources: [resources] }],
    admissionReviewVersions: ['v1'],
    matchPolicy: 'Equivalent',
    failurePolicy: 'Fail',
    sideEffects: 'None',
    clientConfig: { url: `${url}/${path}`, caBundle },
  });
  const group = 'cert-manager.io';
  const head = { apiVersion: 'admissionregistration.k8s.io/v1', metadata: { name: 'cert-manager-webhook' } };
  return [
    {
      ...head,
      kind: 'ValidatingWebhookConfiguration',
      webhooks: [webhook('validate', [group, `acme.${group}`], ['CREATE', 'UPDATE'], '*/*')],
    },
    {
      ...head,
      kind: 'MutatingWebhookConfiguration',
      webhooks: [webhook('mutate', [group], ['CREATE'], 'certificaterequests')],
    },
  ];
}

function crds(): string {
  const folder = process.env['CERT_MANAGER_CRDS'] ?? '';
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n---\n');
}

function certificate(name: string, more: object = {}): Parameters<typeof create>[2] {
  const issuerRef = { name: 'mine', kind: 'Issuer', group: 'cert-manager.io' };
  const spec = { secretName: name, commonName: 'a.example.com', dnsNames: ['a.example.com'], issuerRef, ...more };
  return { metadata: { namespace: 'default', name }, spec };
}

/** The created object, or why it is refused. */
async function create(
  cluster: Cluster,
  kind: typeof certificates,
  body: {
    readonly metadata: { readonly namespace: string; readonly name: string };
    readonly spec: CustomObject['spec'];
  },
): Promise<CustomObject | string> {
  return cluster.create(kind, body).catch(String);
}

async function tell(cluster: Cluster, kubeconfig: string): Promise<readonly unknown[]> {
  await applyYaml(cluster, crds());
  await applyYaml(cluster, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } });
  const outcomes: unknown[] = [];
  let port = '';
  {
    await using program = new KubeProgram('cert-manager-webhook', [
      `--kubeconfig=${kubeconfig}`,
      `--dynamic-serving-ca-secret-namespace=${SYSTEM}`,
      `--dynamic-serving-ca-secret-name=${AUTHORITY}`,
      '--dynamic-serving-dns-names=localhost',
    ]);
    // It makes its own authority, and keeps it in a Secret.
    const serving = await vi.waitFor(async () => {
      const { data } = await cluster.get(secrets, { namespace: SYSTEM, name: AUTHORITY });
      expect(program.log).toContain('serving at');
      return {
        port: /serving at https:\/\/127\.0\.0\.1:(\d+)/u.exec(program.log)?.[1] ?? '',
        ca: data?.['ca.crt'] ?? '',
      };
    }, WAIT);
    ({ port } = serving);
    await applyYaml(cluster, configurations(`https://localhost:${port}`, serving.ca));
    await vi.waitFor(async () => {
      const refused = await cluster
        .create(certificates, certificate('try', { duration: '1m' }), { dryRun: true })
        .catch(String);
      expect(refused).toContain('denied the request');
    }, WAIT);
    outcomes.push(await create(cluster, certificates, certificate('short', { duration: '1m' })));
    const made = await create(cluster, certificates, certificate('fine'));
    outcomes.push(typeof made === 'string' ? made : made.spec);
    const spec = {
      request: Buffer.from(CSR).toString('base64'),
      issuerRef: { name: 'mine', kind: 'Issuer', group: 'cert-manager.io' },
    };
    const asked = await create(cluster, requests, { metadata: { namespace: 'default', name: 'asked' }, spec });
    // Who asks is filled in by the mutating webhook, and checked by the validating one.
    // `extra` depends on how the user has logged in: with a certificate, or with a token.
    const filled = typeof asked === 'string' ? asked : Object.keys(asked.spec).filter((name) => name !== 'extra');
    outcomes.push(typeof filled === 'string' ? filled : filled.toSorted());
    const body = { spec: { username: 'somebody-else' } };
    const changed = cluster.patch(requests, { namespace: 'default', name: 'asked' }, { type: 'merge', body });
    outcomes.push(
      await changed.then(() => 'taken', String),
      await create(cluster, requests, {
        metadata: { namespace: 'default', name: 'broken' },
        spec: { ...spec, request: 'eA==' },
      }),
    );
  }
  outcomes.push(await create(cluster, certificates, certificate('late')));
  return outcomes.map((outcome) => JSON.parse(JSON.stringify(outcome).replaceAll(port, 'PORT')));
}

describe('the webhook of cert-manager', () => {
  it('refuses and changes what it would refuse and change on a kube-apiserver', {
    ...needs('cert-manager-webhook'),
    timeout: SLOW,
  }, async () => {
    await using own = new ListwatchProcess(['serve', '--storage', 'memory', '--port', '0'], newFolder());
    const { kubeconfig } = await own.ready();
    await using cluster = await connect({ kubeconfig, namespace: 'default' });
    const outcomes = await tell(cluster, kubeconfig);
    expect(outcomes).toEqual([
      expect.stringContaining(
        'admission webhook "webhook.cert-manager.io" denied the request: spec.duration: Invalid value',
      ),
      expect.objectContaining({ commonName: 'a.example.com' }),
      expect.arrayContaining(['groups', 'request', 'username']),
      expect.stringContaining('denied the request: [spec.username: Forbidden: username identity cannot be changed'),
      expect.stringContaining('denied the request: spec.request: Invalid value'),
      expect.stringContaining('failed calling webhook "webhook.cert-manager.io"'),
    ]);
    if (findRealPart('kube-apiserver') === undefined) return;
    await using real = await startKubeApiserver();
    await using theirs = await connect({ kubeconfig: real.kubeconfig, namespace: 'default' });
    expect(outcomes).toEqual(await tell(theirs, real.kubeconfig));
  });
});
