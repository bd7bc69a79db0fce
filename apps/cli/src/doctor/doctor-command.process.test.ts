import { describe, expect, it } from 'vitest';
import { ask, ListwatchProcess } from '../serve/serve-process.fixture.ts';
import { temporaryFolders } from '../temporary-folder.fixture.ts';

const newFolder = temporaryFolders();

describe('the process listwatch doctor', () => {
  it('examines listwatch serve over HTTP/2, finds nothing wrong and ends with 0', async () => {
    const folder = newFolder();
    await using server = new ListwatchProcess(
      ['serve', '--port', '0', '--storage', 'memory', '--controllers=-*'],
      folder,
    );
    const { kubeconfig } = await server.ready();
    const args = ['doctor', '--kubeconfig', kubeconfig, '--duration', '3s', '--write', '-o', 'json'];
    await using doctor = new ListwatchProcess(args, folder);
    const { code, stdout, stderr } = await doctor.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { checks } = JSON.parse(stdout);
    const verdicts = checks.map(({ name, verdict }: { name: string; verdict: string }) => `${name} ${verdict}`);
    expect(verdicts).toEqual(expect.arrayContaining(['server ok', 'http2 ok', 'clock ok', 'latency ok', 'quiet ok']));
    const left = await ask(kubeconfig, '/api/v1/configmaps');
    expect(JSON.stringify(left.body)).not.toContain('listwatch-doctor');
  });

  it('ends with 130 on Ctrl-C while it holds its watches, and the server has none left', async () => {
    const folder = newFolder();
    await using server = new ListwatchProcess(
      ['serve', '--port', '0', '--storage', 'memory', '--controllers=-*'],
      folder,
    );
    const { kubeconfig } = await server.ready();
    const args = ['doctor', '--kubeconfig', kubeconfig, '--duration', '10m', '--only', 'quiet,bookmarks'];
    await using doctor = new ListwatchProcess(args, folder);
    const watching = async (): Promise<string> => String((await ask(kubeconfig, '/metrics')).body);
    const open = /^apiserver_longrunning_requests 2$/mu;
    await expect.poll(watching).toMatch(open);
    doctor.kill('SIGINT');
    expect(await doctor.ended).toMatchObject({ code: 130, stdout: '', stderr: '' });
    await expect.poll(watching).not.toMatch(open);
  });

  it('reports a server that cannot be reached without a stack, with 1', async () => {
    await using doctor = new ListwatchProcess(['doctor', '--server', 'http://127.0.0.1:1'], newFolder());
    const { code, stdout, stderr } = await doctor.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/^server +fail +.*ECONNREFUSED/mu);
    expect(stdout).not.toContain('    at ');
  });

  it('says that no cluster is configured, with 1', async () => {
    await using doctor = new ListwatchProcess(['doctor', '--kubeconfig', '/nope'], newFolder());
    expect(await doctor.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^listwatch: .*\/nope.*\n$/u),
    });
  });
});
