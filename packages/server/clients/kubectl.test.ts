import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordOf } from '@listwatch/api/values';
import { needs } from '@listwatch/conformance/parts';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientServer, startClientServer } from './client-server.fixture.ts';

const run = promisify(execFile);

describe('kubectl', needs('kubectl'), () => {
  let server: ClientServer;
  const watches: ChildProcess[] = [];

  beforeAll(async () => {
    server = await startClientServer();
  });

  afterAll(async () => {
    for (const watch of watches) watch.kill();
    await server[Symbol.asyncDispose]();
  });

  /** A cache of discovery of its own: one from another server would be believed. */
  function flags(): readonly string[] {
    return ['--kubeconfig', server.kubeconfig, '--cache-dir', `${server.folder}/cache`];
  }

  async function kubectl(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('kubectl', [...flags(), ...args]);
    return stdout;
  }

  /** From a file, which kubectl validates by the OpenAPI document of the server. */
  async function createConfigMap(
    name: string,
    data: Readonly<Record<string, string>>,
    ...more: readonly string[]
  ): Promise<string> {
    const file = join(server.folder, `${name}.json`);
    await writeFile(file, JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data }));
    return kubectl('create', '-f', file, ...more);
  }

  async function deploy(name: string): Promise<void> {
    await kubectl('create', 'deployment', name, '--image=nginx:1', '--image=redis:1');
  }

  // First: a namespace that another test deletes stays until a controller has emptied it.
  it('lists the namespaces that every cluster has', async () => {
    const names = await kubectl('get', 'namespaces', '-o', 'name');
    expect(names.trim().split('\n')).toEqual([
      'namespace/default',
      'namespace/kube-node-lease',
      'namespace/kube-public',
      'namespace/kube-system',
    ]);
  });

  // From 1.32 on kubectl sends the objects of its own `create` commands as protobuf.
  it.each([
    ['configmap own-words --from-literal=a=1', 'configmap/own-words'],
    ['namespace own-words', 'namespace/own-words'],
    ['secret generic own-words --from-literal=a=1', 'secret/own-words'],
    ['serviceaccount own-words', 'serviceaccount/own-words'],
    ['deployment own-words --image=nginx --replicas=2 --port=80', 'deployment.apps/own-words'],
    ['service clusterip own-words --tcp=80:http', 'service/own-words'],
  ])('creates and deletes from its own words: %s', async (words, name) => {
    expect(await kubectl('create', ...words.split(' '))).toBe(`${name} created\n`);
    expect(await kubectl('get', name, '-o', 'name')).toBe(`${name}\n`);
    expect(await kubectl('delete', name, '--wait=false')).toMatch(/^\S+ "own-words" deleted/u);
  });

  it('creates from its own words what it would have created from a file', async () => {
    await kubectl('create', 'deployment', 'both', '--image=nginx', '--replicas=2', '--port=80');
    const fromWords: unknown = load(await kubectl('get', 'deployment', 'both', '-o', 'yaml'));
    await kubectl('delete', 'deployment', 'both');
    const file = join(server.folder, 'both.json');
    const dry = ['--dry-run=client', '-o', 'json'];
    await writeFile(
      file,
      await kubectl('create', 'deployment', 'both', '--image=nginx', '--replicas=2', '--port=80', ...dry),
    );
    await kubectl('create', '-f', file);
    const fromFile: unknown = load(await kubectl('get', 'deployment', 'both', '-o', 'yaml'));
    const given = {
      uid: expect.any(String),
      resourceVersion: expect.any(String),
      creationTimestamp: expect.any(String),
    };
    const { metadata, ...rest } = recordOf(fromFile);
    expect(fromWords).toEqual({ ...rest, metadata: { ...recordOf(metadata), ...given } });
  });

  it('asks who it is and what it may do', async () => {
    expect(await kubectl('auth', 'whoami')).toMatch(/Username +tester\n/u);
    expect(await kubectl('auth', 'can-i', 'list', 'pods')).toBe('yes\n');
  });

  it('acts as another user', async () => {
    await expect(kubectl('get', 'configmaps', '--as=bob')).rejects.toThrow(
      'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    const as = ['--as=bob', '--as-group=system:masters', '--as-group=dev', '--as-uid=7'];
    const { status } = recordOf(JSON.parse(await kubectl('auth', 'whoami', '-o', 'json', ...as)));
    expect(status).toEqual({
      userInfo: { username: 'bob', uid: '7', groups: ['system:masters', 'dev', 'system:authenticated'] },
    });
    expect(await kubectl('get', 'configmaps', '-o', 'name', ...as)).toBe(
      await kubectl('get', 'configmaps', '-o', 'name'),
    );
  });

  it('reconciles roles, and lists what another user may do by them', async () => {
    const file = join(server.folder, 'roles.json');
    const api = 'rbac.authorization.k8s.io';
    const role = (verbs: readonly string[]): object => ({
      apiVersion: `${api}/v1`,
      kind: 'Role',
      metadata: { name: 'reads', namespace: 'default' },
      rules: [{ verbs, apiGroups: [''], resources: ['configmaps'] }],
    });
    const binding = {
      apiVersion: `${api}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'reads', namespace: 'default' },
      roleRef: { apiGroup: api, kind: 'Role', name: 'reads' },
      subjects: [{ kind: 'User', apiGroup: api, name: 'carol' }],
    };
    const reconcile = async (verbs: readonly string[]): Promise<string> => {
      await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [role(verbs), binding] }));
      return kubectl('auth', 'reconcile', '-f', file);
    };
    expect(await reconcile(['get'])).toMatch(/^role\.rbac\.authorization\.k8s\.io\/reads reconciled$/mu);
    // Rules are added; those that are there stay.
    await reconcile(['list']);
    expect(await kubectl('auth', 'can-i', '--list', '--as=carol')).toMatch(
      /^configmaps +\[\] +\[\] +\[(?:get list|list get)\]$/mu,
    );
    expect(await kubectl('auth', 'can-i', 'list', 'configmaps', '--as=carol')).toBe('yes\n');
    expect(
      await kubectl('get', 'configmaps', 'kube-root-ca.crt', '--ignore-not-found', '-o', 'name', '--as=carol'),
    ).toBe('');
    await expect(kubectl('delete', 'configmap', 'x', '--as=carol')).rejects.toThrow('User "carol" cannot delete');
  });

  it('creates, shows, changes and deletes a ConfigMap', async () => {
    expect(await createConfigMap('hello', { a: '1' })).toBe('configmap/hello created\n');
    const table = await kubectl('get', 'configmaps', 'hello');
    expect(table).toMatch(/^NAME +DATA +AGE\nhello +1 +\d+s\n$/u);
    const object: unknown = load(await kubectl('get', 'configmap', 'hello', '-o', 'yaml'));
    expect(object).toMatchObject({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'hello', namespace: 'default' },
      data: { a: '1' },
    });
    await kubectl('patch', 'configmap', 'hello', '--type=merge', '-p', '{"data":{"a":"2"}}');
    expect(await kubectl('get', 'configmap', 'hello', '-o', 'jsonpath={.data.a}')).toBe('2');
    expect(await kubectl('delete', 'configmap', 'hello')).toMatch(/^configmap "hello" deleted/u);
    await expect(kubectl('get', 'configmap', 'hello')).rejects.toThrow(
      'Error from server (NotFound): configmaps "hello" not found',
    );
  });

  describe('with strategic merge patches', () => {
    const containers = 'jsonpath={range .spec.template.spec.containers[*]}{.name}={.image} {end}';

    it('sets an image and leaves the other container alone', async () => {
      await deploy('images');
      expect(await kubectl('set', 'image', 'deployment/images', 'nginx=nginx:2')).toContain('image updated');
      expect(await kubectl('get', 'deployment', 'images', '-o', containers)).toBe('nginx=nginx:2 redis=redis:1 ');
    });

    it('sets variables, resources and labels', async () => {
      await deploy('settings');
      await kubectl('set', 'env', 'deployment/settings', '-c', 'nginx', 'A=1', 'B=2');
      await kubectl('set', 'env', 'deployment/settings', '-c', 'nginx', 'A-');
      await kubectl('set', 'resources', 'deployment/settings', '-c', 'nginx', '--limits=cpu=200m');
      await kubectl('label', 'deployment', 'settings', 'tier=front');
      await kubectl('annotate', 'deployment', 'settings', 'note=x');
      const { metadata, spec } = recordOf(JSON.parse(await kubectl('get', 'deployment', 'settings', '-o', 'json')));
      expect(metadata).toMatchObject({ labels: { app: 'settings', tier: 'front' }, annotations: { note: 'x' } });
      expect(spec).toMatchObject({
        template: {
          spec: {
            containers: [
              { name: 'nginx', env: [{ name: 'B', value: '2' }], resources: { limits: { cpu: '200m' } } },
              { name: 'redis', resources: {} },
            ],
          },
        },
      });
    });

    it('applies a file, then another: what others have added stays, what it no longer has goes', async () => {
      const file = join(server.folder, 'applied.json');
      const apply = async (labels: object, images: Readonly<Record<string, string>>): Promise<string> => {
        const template = { metadata: { labels: { app: 'applied' } }, spec: { containers: listOfContainers(images) } };
        const spec = { replicas: 2, selector: { matchLabels: { app: 'applied' } }, template };
        const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'applied', labels }, spec };
        await writeFile(file, JSON.stringify(object));
        return kubectl('apply', '--validate=false', '-f', file);
      };
      expect(await apply({ a: '1', b: '1' }, { one: 'i:1', two: 'i:1' })).toBe('deployment.apps/applied created\n');
      await kubectl('label', 'deployment', 'applied', 'theirs=1');
      await kubectl('set', 'env', 'deployment/applied', '-c', 'one', 'THEIRS=1');
      expect(await apply({ a: '2' }, { three: 'i:1', one: 'i:2' })).toBe('deployment.apps/applied configured\n');
      expect(await apply({ a: '2' }, { three: 'i:1', one: 'i:2' })).toBe('deployment.apps/applied unchanged\n');
      const { metadata, spec } = recordOf(JSON.parse(await kubectl('get', 'deployment', 'applied', '-o', 'json')));
      expect(recordOf(metadata)['labels']).toEqual({ a: '2', theirs: '1' });
      expect(spec).toMatchObject({
        template: {
          spec: {
            containers: [
              { name: 'three', image: 'i:1' },
              { name: 'one', image: 'i:2', env: [{ name: 'THEIRS', value: '1' }] },
            ],
          },
        },
      });
    });

    it('applies on the server: conflicts name the manager, and force takes the field', async () => {
      const file = join(server.folder, 'owned.json');
      const apply = async (replicas: number, ...more: readonly string[]): Promise<string> => {
        const template = {
          metadata: { labels: { app: 'owned' } },
          spec: { containers: listOfContainers({ one: 'i:1' }) },
        };
        const spec = { replicas, selector: { matchLabels: { app: 'owned' } }, template };
        const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'owned' }, spec };
        await writeFile(file, JSON.stringify(object));
        return kubectl('apply', '--server-side', '-f', file, ...more);
      };
      expect(await apply(2)).toBe('deployment.apps/owned serverside-applied\n');
      await expect(apply(3, '--field-manager=other')).rejects.toThrow('conflict with "kubectl": .spec.replicas');
      await apply(3, '--field-manager=other', '--force-conflicts');
      await kubectl('scale', 'deployment', 'owned', '--replicas=5');
      await expect(apply(3, '--field-manager=other')).rejects.toThrow(
        'conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas',
      );
      const get = ['get', 'deployment', 'owned', '-o', 'yaml'];
      expect(await kubectl(...get)).not.toContain('managedFields');
      expect(await kubectl(...get, '--show-managed-fields')).toContain('f:replicas: {}');
    });

    it('edits an object', async () => {
      await deploy('edited');
      const environment = { ...process.env, KUBE_EDITOR: "sed -i -e 's/nginx:1/nginx:9/'" };
      const { stdout } = await run('kubectl', [...flags(), 'edit', 'deployment', 'edited', '--validate=false'], {
        env: environment,
      });
      expect(stdout).toBe('deployment.apps/edited edited\n');
      expect(await kubectl('get', 'deployment', 'edited', '-o', containers)).toBe('nginx=nginx:9 redis=redis:1 ');
    });

    it('shows why a patch was refused', async () => {
      await deploy('refused');
      const patch = '{"spec":{"template":{"spec":{"containers":[{"image":"x"}]}}}}';
      await expect(kubectl('patch', 'deployment', 'refused', '-p', patch)).rejects.toThrow(
        'does not contain declared merge key: name',
      );
    });
  });

  describe('with the commands for workloads', () => {
    it('scales, autoscales and exposes', async () => {
      await deploy('sized');
      expect(await kubectl('scale', 'deployment', 'sized', '--replicas=4')).toBe('deployment.apps/sized scaled\n');
      expect(await kubectl('get', 'deployment', 'sized')).toMatch(/^sized +0\/4 /mu);
      await kubectl('autoscale', 'deployment', 'sized', '--max=5', '--cpu-percent=50');
      expect(await kubectl('get', 'hpa', 'sized')).toMatch(
        /^sized +Deployment\/sized +cpu: <unknown>\/50% +1 +5 +0 /mu,
      );
      await kubectl('expose', 'deployment', 'sized', '--port=80', '--type=NodePort');
      expect(await kubectl('get', 'service', 'sized')).toMatch(/^sized +NodePort +\S+ +<none> +80:\d+\/TCP /mu);
    });

    it('pauses and resumes a rollout, and waits for a field', async () => {
      await deploy('rolled');
      expect(await kubectl('rollout', 'pause', 'deployment/rolled')).toBe('deployment.apps/rolled paused\n');
      const paused = '--for=jsonpath={.spec.paused}=true';
      expect(await kubectl('wait', 'deployment/rolled', paused)).toBe('deployment.apps/rolled condition met\n');
      expect(await kubectl('rollout', 'resume', 'deployment/rolled')).toBe('deployment.apps/rolled resumed\n');
      await expect(kubectl('rollout', 'undo', 'deployment/rolled')).rejects.toThrow('no rollout history found');
    });

    it('describes a Pod that it runs, and makes a token', async () => {
      expect(await kubectl('run', 'shell', '--image=busybox', '--', 'sleep', '9')).toBe('pod/shell created\n');
      const text = await kubectl('describe', 'pod', 'shell');
      expect(text).toMatch(/^Status: +Pending$/mu);
      expect(text).toMatch(/^QoS Class: +BestEffort$/mu);
      await kubectl('create', 'serviceaccount', 'robot');
      expect(await kubectl('create', 'token', 'robot')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n?$/u);
    });

    it('shows what a file would change', async () => {
      await createConfigMap('compared', { a: '1' });
      const file = join(server.folder, 'compared.json');
      expect(await kubectl('diff', '-f', file)).toBe('');
      await writeFile(file, (await readFile(file, 'utf8')).replace('"1"', '"2"'));
      await expect(kubectl('diff', '-f', file)).rejects.toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/^- {2}a: "1"\n\+ {2}a: "2"$/mu),
      });
      expect(await kubectl('replace', '-f', file)).toBe('configmap/compared replaced\n');
    });
  });

  it('sees a change while it watches', async () => {
    await createConfigMap('watched', { a: '1' });
    const columns = 'custom-columns=NAME:.metadata.name,A:.data.a';
    const watch = spawn('kubectl', [...flags(), 'get', 'configmaps', '-w', '--no-headers', '-o', columns]);
    watches.push(watch);
    const lines = linesOf(watch);
    await lines.until(/^watched +1$/u);
    await kubectl('patch', 'configmap', 'watched', '--type=merge', '-p', '{"data":{"a":"2"}}');
    await lines.until(/^watched +2$/u);
  });

  it('watches a Table as people do', async () => {
    const watch = spawn('kubectl', [...flags(), 'get', 'configmaps', '-w']);
    watches.push(watch);
    const lines = linesOf(watch);
    await createConfigMap('in-a-table', { a: '1', b: '2' });
    await lines.until(/^in-a-table +2 +\d+s$/u);
  });

  it('lists over all namespaces', async () => {
    await createConfigMap('far', { a: '1' }, '-n', 'kube-public');
    await createConfigMap('near', { a: '1' });
    const table = await kubectl('get', 'configmaps', '-A');
    expect(table).toMatch(/^NAMESPACE +NAME +DATA +AGE\n/u);
    expect(table).toMatch(/^default +near +1 /mu);
    expect(table).toMatch(/^kube-public +far +1 /mu);
  });

  it('finds out which resources there are', async () => {
    const table = await kubectl('api-resources');
    expect(table).toMatch(/^configmaps +cm +v1 +true +ConfigMap$/mu);
    expect(table).toMatch(/^nodes +no +v1 +false +Node$/mu);
    expect(table).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/mu);
  });
});

function listOfContainers(images: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(images).map(([name, image]) => ({ name, image }));
}

/** The lines of a process' output, as they come. */
function linesOf(child: ChildProcess): { until(pattern: RegExp): Promise<void> } {
  const output = { text: '' };
  const waiting = new Set<() => void>();
  const told = (chunk: Buffer): void => {
    output.text += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout?.on('data', told);
  child.stderr?.on('data', told);
  return {
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!output.text.split('\n').some((line) => pattern.test(line))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        child.once('exit', () => reject(new Error(`kubectl has ended and has said: ${output.text}`)));
        look();
      }),
  };
}
