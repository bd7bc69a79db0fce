import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs } from '@listwatch/conformance/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientServer, startClientServer } from './client-server.fixture.ts';

const run = promisify(execFile);

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        additionalPrinterColumns: [{ name: 'Color', type: 'string', jsonPath: '.spec.color' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  replicas: { type: 'integer', default: 1 },
                  color: { type: 'string', description: 'What it looks like.' },
                },
              },
            },
          },
        },
      },
    ],
  },
};
const WIDGET = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec: { color: 'red' } };

describe('kubectl with a kind of its own', needs('kubectl'), () => {
  let server: ClientServer;

  beforeAll(async () => {
    server = await startClientServer();
    await kubectl('create', '-f', await fileOf('definition', DEFINITION));
    await kubectl('wait', '--for=condition=Established', 'crd/widgets.example.com', '--timeout=60s');
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function kubectl(...args: readonly string[]): Promise<string> {
    const own = ['--kubeconfig', server.kubeconfig, '--cache-dir', `${server.folder}/cache`];
    return (await run('kubectl', [...own, ...args])).stdout;
  }

  async function fileOf(name: string, object: object): Promise<string> {
    const file = join(server.folder, `${name}.json`);
    await writeFile(file, JSON.stringify(object));
    return file;
  }

  it('lists and explains it', async () => {
    expect(await kubectl('api-resources', '--api-group=example.com', '--no-headers')).toMatch(
      /^widgets +wd +example\.com\/v1 +true +Widget$/mu,
    );
    expect(await kubectl('explain', 'widgets.spec.color')).toMatch(/FIELD: color <string>[^]*What it looks like\./u);
  });

  it('explains the fields that every kind has', async () => {
    for (const field of ['apiVersion', 'kind', 'metadata', 'metadata.finalizers']) {
      expect(await kubectl('explain', `widgets.${field}`)).toMatch(/^DESCRIPTION:\n +\S+ \S+/mu);
    }
  });

  it('applies, prints, scales and deletes its objects', async () => {
    const file = await fileOf('widget', WIDGET);
    expect(await kubectl('apply', '-f', file)).toBe('widget.example.com/one created\n');
    expect(await kubectl('apply', '--server-side', '--force-conflicts', '-f', file)).toContain('serverside-applied');
    expect(await kubectl('get', 'wd')).toMatch(/^NAME +COLOR\none +red\n$/u);
    await kubectl('scale', 'widget', 'one', '--replicas=4');
    expect(await kubectl('get', 'wd', 'one', '-o', 'jsonpath={.spec.replicas}')).toBe('4');
    await kubectl('delete', 'crd', 'widgets.example.com');
    await expect(kubectl('get', 'widgets.example.com')).rejects.toThrow();
  });
});
