import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findRealPart, needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { SERVED_KINDS } from '@listwatch/rules/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientServer, startClientServer } from './client-server.fixture.ts';

const run = promisify(execFile);

const wrongPort = (name: string): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'a', prots: [] }] } },
  },
});
const STRICT =
  'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.template.spec.containers[0].prots"';

describe('kubectl by the OpenAPI documents of the server', needs('kubectl'), () => {
  let server: ClientServer;

  beforeAll(async () => {
    server = await startClientServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  async function kubectl(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
    return run('kubectl', ['--kubeconfig', server.kubeconfig, '--cache-dir', `${server.folder}/cache`, ...args]);
  }

  async function fileOf(name: string, object: object): Promise<string> {
    const file = join(server.folder, `${name}.json`);
    await writeFile(file, JSON.stringify(object));
    return file;
  }

  it('explains a field with its type and its values', async () => {
    const { stdout } = await kubectl('explain', 'pod.spec.restartPolicy');
    expect(stdout).toMatch(
      /^KIND: +Pod\nVERSION: +v1\n\nFIELD: restartPolicy <string>\nENUM:\n +Always\n +Never\n +OnFailure\n/u,
    );
  });

  it('explains the fields of a list of structs, required ones marked', async () => {
    const { stdout } = await kubectl('explain', 'pod.spec.containers');
    expect(stdout).toMatch(/^FIELD: containers <\[\]Container>$/mu);
    expect(stdout).toMatch(/^ {2}name\t<string> -required-$/mu);
    expect(stdout).toMatch(/^ {2}ports\t<\[\]ContainerPort>$/mu);
  });

  it('explains in words what people look up most, and links to a page for other types', async () => {
    expect((await kubectl('explain', 'pod.spec.containers.image')).stdout).toMatch(
      /^DESCRIPTION:\n +Image to start, such as registry\.example\.com\/app:1\.2\.$/mu,
    );
    expect((await kubectl('explain', 'configmaps.metadata.labels')).stdout).toMatch(/^DESCRIPTION:\n +\S/mu);
    expect((await kubectl('explain', 'runtimeclasses')).stdout).toMatch(
      /^DESCRIPTION:\n +See\s+https:\/\/kubernetes\.io\/docs\/reference\//mu,
    );
  });

  it('explains everything below a kind', async () => {
    const { stdout } = await kubectl('explain', 'deployments', '--recursive');
    expect(stdout).toMatch(/^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/u);
    expect(stdout).toMatch(/^ {10}image\t<string>$/mu);
  });

  it('explains by version 2, which it reads as protobuf', async () => {
    const { stdout } = await kubectl('explain', 'pod.spec.containers', '--output', 'plaintext-openapiv2');
    expect(stdout).toMatch(/^RESOURCE: containers <\[\]Object>$/mu);
    expect(stdout).toMatch(/^ {3}name\t<string> -required-$/mu);
  });

  it('says that a field does not exist', async () => {
    await expect(kubectl('explain', 'pod.spec.nothing')).rejects.toThrow('field "nothing" does not exist');
  });

  it.each(['apply', 'create', 'create --dry-run=server'])('%s refuses an unknown field', async (words) => {
    const file = await fileOf('wrong', wrongPort('wrong'));
    await expect(kubectl(...words.split(' '), '-f', file)).rejects.toThrow(STRICT);
  });

  it('warns about an unknown field when it is told to', async () => {
    const file = await fileOf('warned', wrongPort('warned'));
    const { stdout, stderr } = await kubectl('create', '-f', file, '--validate=warn', '--dry-run=server');
    expect(stdout).toBe('deployment.apps/warned created (server dry run)\n');
    expect(stderr).toBe('Warning: unknown field "spec.template.spec.containers[0].prots"\n');
  });

  it('applies a file that is right, validated, and creates nothing in a dry run', async () => {
    const file = await fileOf('right', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'right' },
      data: { a: '1' },
    });
    expect((await kubectl('create', '-f', file, '--dry-run=server')).stdout).toBe(
      'configmap/right created (server dry run)\n',
    );
    expect((await kubectl('apply', '-f', file)).stdout).toBe('configmap/right created\n');
  });

  describe(
    'as by those of kube-apiserver',
    needs(findRealPart('kubectl') === undefined ? 'kubectl' : 'kube-apiserver'),
    () => {
      it('explains every field of every kind with the same type', async () => {
        await using real = await startKubeApiserver();
        expect(SERVED_KINDS.length).toBeGreaterThan(60);
        for (const { group, version, plural } of SERVED_KINDS) {
          const args = [
            'explain',
            plural,
            '--api-version',
            group === '' ? version : `${group}/${version}`,
            '--recursive',
          ];
          const cache = ['--cache-dir', `${server.folder}/real`];
          const theirs = await run('kubectl', ['--kubeconfig', real.kubeconfig, ...cache, ...args]);
          expect(withoutText((await kubectl(...args)).stdout)).toBe(withoutText(theirs.stdout));
        }
      }, 300_000);
    },
  );
});

/** Without the description, which we do not have. */
function withoutText(explained: string): string {
  return explained.replace(/^DESCRIPTION:\n(?: +.*\n|\n)*/mu, '');
}
