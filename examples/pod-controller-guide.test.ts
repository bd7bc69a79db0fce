import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ApiObject, resource } from '@listwatch/api';
import { type Cluster, connect } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { kubeEvents, leases } from '@listwatch/runtime';
import type { Authorizer } from '@listwatch/server';
import { startTestServer } from '@listwatch/testing';
import { dump, load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ExampleProcess } from './example-process.fixture.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const guide = readFileSync(join(root, 'docs/guide/run-a-controller-in-a-pod.md'), 'utf8');
const ACCOUNT = 'system:serviceaccount:default:expose';
const LEASE = { namespace: 'default', name: 'expose' };

const deployments = resource({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  namespaced: true,
});
const services = resource({ version: 'v1', plural: 'services', kind: 'Service', namespaced: true });
const serviceAccounts = resource({
  version: 'v1',
  plural: 'serviceaccounts',
  kind: 'ServiceAccount',
  namespaced: true,
});
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: true } as const;
const roles = resource({ ...rbac, plural: 'roles', kind: 'Role' });
const bindings = resource({ ...rbac, plural: 'rolebindings', kind: 'RoleBinding' });

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

/** What the test reads of the guide's objects. */
interface GuideObject extends ApiObject {
  readonly rules?: readonly Rule[];
  readonly spec?: { readonly template: { readonly spec: { readonly containers: readonly Record<string, Probe>[] } } };
}

type AccessAttributes = Parameters<Authorizer['authorize']>[0];

interface Kubeconfig {
  readonly users: { readonly user: Record<string, string> }[];
}

/** The first block of a language in the guide. */
function block(language: string): string {
  const [, text] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'msu').exec(guide) ?? [];
  return text ?? expect.unreachable(`the guide has no ${language}`);
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guide's own objects
const manifest = loadAll(block('yaml')) as GuideObject[];

function object(kind: string): GuideObject {
  const found = manifest.find((one) => one.kind === kind) ?? expect.unreachable(`the guide has no ${kind}`);
  return { ...found, metadata: { ...found.metadata, namespace: 'default' } };
}

/** What the Role of the guide allows, as `group resource verb`. */
function allowedByRole(): readonly string[] {
  const { rules = [] } = object('Role');
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((name) => verbs.map((verb) => `${group} ${name} ${verb}`))),
  );
}

function asked({ group, resource: plural, subresource, verb }: AccessAttributes): string {
  return `${group} ${subresource === '' ? plural : `${plural}/${subresource}`} ${verb}`;
}

interface GuideServer extends AsyncDisposable {
  readonly admin: Cluster;
  /** Of an administrator. */
  readonly kubeconfig: string;
  readonly hasRbac: boolean;
  /** The rights that the program has used, as `group resource verb`; undefined when the server cannot tell. */
  readonly used: ReadonlySet<string> | undefined;
}

function describeGuide(title: string, start: () => Promise<GuideServer>): void {
  describe(title, () => {
    let server: GuideServer;
    let folder = '';

    beforeAll(async () => {
      server = await start();
      // Within the root, so that packages are found.
      folder = mkdtempSync(join(root, 'node_modules', '.pod-guide-'));
      writeFileSync(join(folder, 'main.mts'), block('ts'));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a kubeconfig of ours
      const config = load(server.kubeconfig) as Kubeconfig;
      for (const { user } of config.users) user['as'] = ACCOUNT;
      writeFileSync(join(folder, 'kubeconfig'), dump(config));
    });

    afterAll(async () => {
      vi.unstubAllEnvs();
      rmSync(folder, { recursive: true });
      await server[Symbol.asyncDispose]();
    });

    it('the program runs as two replicas with the permissions that the guide gives it', {
      timeout: 90_000,
    }, async () => {
      vi.stubEnv('PORT', '0');
      const { admin, hasRbac } = server;
      await admin.create(serviceAccounts, object('ServiceAccount'));
      await admin.create(deployments, object('Deployment'));
      if (hasRbac) {
        await admin.create(roles, object('Role'));
        await admin.create(bindings, object('RoleBinding'));
      }
      await using first = replica(folder);
      await first.says('this process leads');
      await using second = replica(folder);
      await second.says('the caches are complete');
      await admin.create(deployments, labelled('web'));
      expect((await exposed()).metadata.ownerReferences).toMatchObject([{ kind: 'Deployment', name: 'web' }]);
      await eventually('the event', async () => {
        const { items } = await admin.list(kubeEvents, { namespace: 'default' });
        return items.some(({ reason, note }) => reason === 'Exposed' && note === 'created the Service web');
      });
      for (const path of probePaths())
        expect([path, await statusOf(first, path), await statusOf(second, path)]).toEqual([path, 200, 200]);
      const before = (await admin.get(leases, LEASE)).spec?.holderIdentity;
      expect(await first.interrupt()).toBe(0);
      await admin.delete(services, { namespace: 'default', name: 'web' });
      await second.says('this process leads');
      await exposed();
      const after = (await admin.get(leases, LEASE)).spec;
      expect([after?.holderIdentity === before, after?.leaseTransitions]).toEqual([false, 1]);
      expect(await second.interrupt()).toBe(0);
      expect(first.output + second.output).not.toMatch(/forbidden|refused/iu);
      // Lists are for servers that cannot stream the first state, finalizers for OwnerReferencesPermissionEnforcement; a repeated Event is patched.
      const unused = allowedByRole().filter((right) => server.used?.has(right) === false);
      if (server.used !== undefined) {
        expect(unused).toEqual([
          'apps deployments list',
          'apps deployments/finalizers update',
          'events.k8s.io events patch',
        ]);
      }
    });

    function exposed(): Promise<ApiObject> {
      return eventually('the service', () =>
        server.admin.get(services, { namespace: 'default', name: 'web' }).catch(() => undefined),
      );
    }
  });
}

function replica(folder: string): ExampleProcess {
  return new ExampleProcess(join(folder, 'main.mts'), join(folder, 'kubeconfig'));
}

function labelled(name: string): ApiObject {
  const deployment = object('Deployment');
  return { ...deployment, metadata: { ...deployment.metadata, name, labels: { expose: 'yes' } } };
}

function probePaths(): readonly string[] {
  const [container = {}] = object('Deployment').spec?.template.spec.containers ?? [];
  const { readinessProbe, livenessProbe } = container;
  return [readinessProbe, livenessProbe].map((probe) => probe?.httpGet.path ?? expect.unreachable('no probe'));
}

async function statusOf({ output }: ExampleProcess, path: string): Promise<number> {
  const [, port] = /"health":"http:\/\/localhost:(\d+)"/u.exec(output) ?? [];
  return (await fetch(`http://localhost:${port}${path}`)).status;
}

describeGuide('run-a-controller-in-a-pod.md on our own server', async () => {
  const used = new Set<string>();
  const allowed = new Set(allowedByRole());
  const authorizer = {
    authorize: (attributes: AccessAttributes) => {
      if (attributes.user.groups.includes('system:masters')) return { allowed: true };
      const right = asked(attributes);
      used.add(right);
      return { allowed: attributes.namespace === 'default' && allowed.has(right) };
    },
  };
  const env = await startTestServer({ listen: true, server: { authorizer } });
  return {
    admin: env.cluster,
    kubeconfig: env.kubeconfig,
    hasRbac: false,
    used,
    [Symbol.asyncDispose]: () => env.close(),
  };
});

describe('run-a-controller-in-a-pod.md on a real server', needs('kube-apiserver'), () => {
  describeGuide('kube-apiserver', async () => {
    const real = await startKubeApiserver();
    const admin = await connect({ kubeconfig: real.kubeconfig });
    return {
      admin,
      kubeconfig: readFileSync(real.kubeconfig, 'utf8'),
      hasRbac: true,
      used: undefined,
      [Symbol.asyncDispose]: async () => {
        await admin.close();
        await real.stop();
      },
    };
  });
});
