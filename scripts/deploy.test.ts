import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { applyYaml, loadYaml, type Manifest } from '@listwatch/client';
import { namespaces, type Pod, pods, serviceAccounts } from '@listwatch/kinds';
import { createRelay, createUpstream } from '@listwatch/relay';
import { exists, waitFor } from '@listwatch/runtime';
import { startTestServer } from '@listwatch/testing';
import { describe, expect, it, vi } from 'vitest';
import { publicPackages } from './bundle.mjs';

const FOLDER = new URL('../deploy/', import.meta.url);
const CONTAINER = new URL('../container/', import.meta.url);

interface Workload extends Manifest {
  readonly spec: { readonly template: { readonly spec: NonNullable<Pod['spec']> } };
}

function isWorkload(object: Manifest): object is Workload {
  return object.kind === 'Deployment' || object.kind === 'StatefulSet';
}

it('every image of ours has the version of the packages', () => {
  const texts = readdirSync(FOLDER).map((file) => readFileSync(new URL(file, FOLDER), 'utf8'));
  const tags = texts.flatMap((text) => [...text.matchAll(/\/listwatch:([\w.-]+)/gu)].map(([, tag]) => tag));
  expect(tags.length).toBeGreaterThan(3);
  expect(new Set(tags)).toEqual(new Set(publicPackages().map(({ manifest }) => manifest.version)));
});

it('a build of the image is sent what its Dockerfile copies, and no store, key or node_modules', () => {
  const dockerfile = readFileSync(new URL('Dockerfile', CONTAINER), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) /gmu)].map(([, from]) => from);
  const rules = readFileSync(new URL('../.dockerignore', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  // The first rule leaves everything out, each other one lets something in.
  expect(copied.length).toBeGreaterThan(1);
  expect(rules).toEqual(['*', ...copied.map((from) => `!${from}`)]);
});

describe.each(readdirSync(FOLDER).filter((file) => file.endsWith('.yaml')))('deploy/%s', (file) => {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');

  it('is taken by a server in a dry run, without a warning, and its pods by the Pod Security level of their namespace', async () => {
    const warnings: string[] = [];
    await using env = await startTestServer({ client: { onWarning: ({ text: warning }) => warnings.push(warning) } });
    const objects = await loadYaml(text);
    const [namespace, ...rest] = objects;
    expect(namespace?.kind).toBe('Namespace');
    // The others live in it: it cannot be dry.
    await applyYaml(env.cluster, namespace ?? {});
    const applied = await applyYaml(env.cluster, rest, { dryRun: true });
    expect(new Set(applied.map(({ object }) => object.kind))).toEqual(new Set(rest.map(({ kind }) => kind)));
    expect(applied).toHaveLength(rest.length);
    const name = namespace?.metadata.name ?? '';
    await waitFor(env.cluster, serviceAccounts, { namespace: name, name: 'default' }, exists);
    await applyYaml(
      env.cluster,
      rest.filter(({ kind }) => kind === 'ServiceAccount'),
    );
    expect((await env.cluster.get(namespaces, { name })).metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    const workloads = objects.filter(isWorkload);
    expect(workloads).toHaveLength(1);
    for (const { spec } of workloads) {
      const claims = (spec.template.spec.containers[0]?.volumeMounts ?? []).map((mount) => mount.name);
      const volumes = claims.map(
        (claim) => spec.template.spec.volumes?.find((one) => one.name === claim) ?? { name: claim, emptyDir: {} },
      );
      const others = (spec.template.spec.volumes ?? []).filter((one) => !claims.includes(one.name));
      const pod = {
        metadata: { namespace: name, name: 'one' },
        spec: { ...spec.template.spec, volumes: [...volumes, ...others] },
      };
      await env.cluster.create(pods, pod, { dryRun: true });
      const loose = { ...pod, spec: { ...pod.spec, securityContext: {} } };
      await expect(env.cluster.create(pods, loose, { dryRun: true })).rejects.toThrow(
        'violates PodSecurity "restricted',
      );
    }
    expect(warnings).toEqual([]);
  });

  it('runs the image without rights, on a root file system that it cannot write to, with probes and limits', async () => {
    for (const { spec } of (await loadYaml(text)).filter(isWorkload)) {
      for (const container of [...spec.template.spec.containers, ...(spec.template.spec.initContainers ?? [])])
        expect(container.securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
        });
      for (const container of spec.template.spec.containers) {
        expect(container.livenessProbe).toBeDefined();
        expect(container.readinessProbe).toBeDefined();
        expect(container.resources?.limits?.['memory']).toBeDefined();
      }
    }
  });

  it('has flags that the command knows', async () => {
    const reference = readFileSync(new URL('../docs/reference/flags.md', import.meta.url), 'utf8');
    const args = (await loadYaml(text))
      .filter(isWorkload)
      .flatMap(({ spec }) => spec.template.spec.containers[0]?.args ?? []);
    const flags = args.filter((arg) => arg.startsWith('--')).map((arg) => arg.split('=')[0] ?? '');
    expect(flags.length).toBeGreaterThan(0);
    expect(flags.filter((flag) => !reference.includes(`| \`${flag}\``))).toEqual([]);
  });
});

describe('the relay', () => {
  const ACCESS = new Set(['ClusterRole', 'ClusterRoleBinding', 'Namespace', 'ServiceAccount']);

  it('follows its kinds, asks about users and hears of roles with the rights of its manifest, and would not without them', async () => {
    const objects = await loadYaml(readFileSync(new URL('relay.yaml', FOLDER), 'utf8'));
    const args = objects.filter(isWorkload).flatMap(({ spec }) => spec.template.spec.containers[0]?.args ?? []);
    const kinds =
      args
        .find((arg) => arg.startsWith('--kinds='))
        ?.slice('--kinds='.length)
        .split(',') ?? [];
    await using env = await startTestServer({ listen: true });
    await env.apply(objects.filter(({ kind }) => ACCESS.has(kind)));
    const account = { metadata: { namespace: 'listwatch-relay', name: 'relay' } };
    // Nothing passes in this test.
    const upstream = createUpstream({ server: env.url });
    await using relay = await createRelay({ cluster: env.as(account), upstream, kinds });
    await relay.start();
    expect(relay.state.kinds.map(({ kind, state }) => [kind, state])).toEqual(kinds.map((kind) => [kind, 'live']));
    await vi.waitFor(() => expect(relay.state.access.signal).toBe(true));
    const review = { spec: { user: 'ann', resourceAttributes: { verb: 'list', resource: 'pods' } } };
    await env.as(account).raw('/apis/authorization.k8s.io/v1/subjectaccessreviews', { method: 'POST', body: review });
    await using other = await createRelay({ cluster: env.as('nobody'), upstream, kinds });
    await other.start();
    expect(other.state.kinds.filter(({ state }) => state === 'live')).toEqual([]);
  });
});

async function checkHealth(url: string): Promise<unknown> {
  const env = { ...process.env, LISTWATCH_HEALTH_URL: url };
  const child = spawn(process.execPath, [fileURLToPath(new URL('healthcheck.mjs', CONTAINER))], { env });
  const [code]: unknown[] = await once(child, 'exit');
  return code;
}

describe('the image', () => {
  const dockerfile = readFileSync(new URL('Dockerfile', CONTAINER), 'utf8');

  it('does not run as root, is asked for its health, and gets signals itself', () => {
    expect(dockerfile).toMatch(/^USER 65532:65532$/mu);
    expect(dockerfile).toMatch(/^HEALTHCHECK .*CMD \["node", "\/app\/healthcheck\.mjs"\]$/mu);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["node", /mu);
  });

  it('its check of health tells a server that is alive from a port where nobody listens', async () => {
    await using env = await startTestServer({ listen: true });
    expect(await checkHealth(`${env.url}/livez`)).toBe(0);
    expect(await checkHealth(`${env.url}/nothing`)).toBe(1);
    expect(await checkHealth('https://127.0.0.1:1/livez')).toBe(1);
    expect(await checkHealth('http://127.0.0.1:1/livez')).toBe(1);
  });
});
