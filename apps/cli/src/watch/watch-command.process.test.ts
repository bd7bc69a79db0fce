import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ask, flagsOf, ListwatchProcess } from '../serve/serve-process.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const newFolder = temporaryFolders();
const COLLECTION = '/api/v1/namespaces/default/configmaps';

async function create(kubeconfig: string, name: string): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
  const headers = { 'content-type': 'application/json' };
  expect(await ask(kubeconfig, COLLECTION, { method: 'POST', headers }, body)).toMatchObject({ status: 201 });
}

function watchOf(kubeconfig: string, folder: string, ...args: readonly string[]): ListwatchProcess {
  return new ListwatchProcess(['watch', 'configmaps', '--kubeconfig', kubeconfig, ...args], folder);
}

describe('the process listwatch watch', () => {
  it('writes a line of JSON for each change, and ends with 130 on Ctrl-C and nothing on stderr', async () => {
    const folder = newFolder();
    await using server = new ListwatchProcess(
      ['serve', '--port', '0', '--storage', 'memory', '--controllers=-*'],
      folder,
    );
    const { kubeconfig } = await server.ready();
    await create(kubeconfig, 'before');
    await using watch = watchOf(kubeconfig, folder);
    await watch.line('"before"');
    await create(kubeconfig, 'after');
    await watch.line('"after"');
    watch.kill('SIGINT');
    const { code, stdout, stderr } = await watch.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'ADDED', initial: true, object: { kind: 'ConfigMap', metadata: { name: 'before' } } },
      { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'after' } } },
    ]);
    // The server has no watch left that would hold its end up.
    server.kill('SIGTERM');
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  it('ends quietly, with 141, at the next change when its reader has gone', async () => {
    const folder = newFolder();
    await using server = new ListwatchProcess(
      ['serve', '--port', '0', '--storage', 'memory', '--controllers=-*'],
      folder,
    );
    const { kubeconfig } = await server.ready();
    await create(kubeconfig, 'first');
    await using watch = watchOf(kubeconfig, folder, '-o', 'name');
    expect(await watch.line('first')).toBe('configmap/first');
    watch.closeOutput();
    await create(kubeconfig, 'second');
    expect(await watch.ended).toMatchObject({ code: 141, stderr: '' });
  });

  it.runIf(existsSync('/bin/sh'))('ends when head has its lines, also while nothing changes', async () => {
    const folder = newFolder();
    await using server = new ListwatchProcess(
      ['serve', '--port', '0', '--storage', 'memory', '--controllers=-*'],
      folder,
    );
    const { kubeconfig } = await server.ready();
    await create(kubeconfig, 'first');
    // A pipe of the shell: Node would give the process a socket, whose end can be seen in other ways.
    const watch = [process.execPath, ...flagsOf(['watch', 'configmaps', '--kubeconfig', kubeconfig, '-o', 'name'])];
    const line = `{ ${watch.map((word) => `'${word}'`).join(' ')}; echo "ended with $?" >&2; } | head -1`;
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', line], { cwd: folder });
    expect({ stdout, stderr }).toEqual({ stdout: 'configmap/first\n', stderr: 'ended with 141\n' });
  });

  it('tells that the server is gone, and goes on when it is back: nothing twice, nothing lost', async () => {
    const folder = newFolder();
    await using first = new ListwatchProcess(['serve', '--port', '0', '--controllers=-*'], folder);
    const { kubeconfig, url } = await first.ready();
    await create(kubeconfig, 'one');
    await using watch = watchOf(kubeconfig, folder, '-o', 'name');
    await watch.line('one');
    first.kill('SIGTERM');
    await first.ended;
    await watch.line('listwatch: ', 'stderr');
    await using second = new ListwatchProcess(['serve', '--port', new URL(url).port, '--controllers=-*'], folder);
    await second.ready();
    await create(kubeconfig, 'two');
    await watch.line('two');
    watch.kill('SIGTERM');
    const { code, stdout, stderr } = await watch.ended;
    expect({ code, stdout }).toEqual({ code: 143, stdout: 'configmap/one\nconfigmap/two\n' });
    for (const line of stderr.trimEnd().split('\n')) expect(line).toMatch(/^listwatch: \w/u);
  });

  it('says in one line that nobody is there', async () => {
    await using watch = new ListwatchProcess(['watch', 'pods', '--server', 'http://127.0.0.1:1'], newFolder());
    const { code, stdout, stderr } = await watch.ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^listwatch: .*http:\/\/127\.0\.0\.1:1.*ECONNREFUSED.*\n$/u);
  });
});
