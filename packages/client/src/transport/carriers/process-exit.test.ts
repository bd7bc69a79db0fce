import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageFlags, TestAuthority } from '@listwatch/conformance/parts';
import { eventually } from '@listwatch/conformance/storage';
import { type ScriptedServer, startHttp1Server, startHttp2Server } from '@listwatch/conformance/transport';
import { describe, expect, it } from 'vitest';

/** A program that lists, opens a watch if it is told to, and closes nothing. */
const PROGRAM = `
const { connect } = await import('@listwatch/client');
const [server, protocol, watch] = process.argv.slice(1);
const { transport } = await connect({ server, protocol, caData: process.env.CA });
const { body } = await transport.send({ method: 'GET', path: '/list', headers: {} });
for await (const _ of body);
if (watch) {
  const response = await transport.send({ method: 'GET', path: '/list?watch=true', headers: {} });
  for await (const chunk of response.body) process.stdout.write(chunk);
}
`;

describe.each(['http/1.1', 'http/2'] as const)('a program over %s that closes nothing', (protocol) => {
  async function run(watch: boolean, script: (server: ScriptedServer, printed: () => string) => Promise<void>) {
    using authority = new TestAuthority();
    const options = { ca: authority.ca, certificate: authority.server() };
    const server = await (protocol === 'http/2' ? startHttp2Server(options) : startHttp1Server(options));
    const args = [...packageFlags(), '--import', 'tsx', '--input-type=module', '-e', PROGRAM];
    const child = spawn(process.execPath, [...args, server.url, protocol, ...(watch ? ['watch'] : [])], {
      env: { ...process.env, CA: authority.ca },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(child, 'exit');
    try {
      const list = await eventually('the list is asked for', () => server.exchanges[0]);
      list.head(200);
      list.end();
      await script(server, () => output);
      return { code: (await exited)[0], output };
    } finally {
      child.kill();
      await server.close();
    }
  }

  it('ends by itself when nothing is under way', async () => {
    expect(await run(false, async () => {})).toEqual({ code: 0, output: '' });
  });

  it('lives as long as its watch', async () => {
    const ended = await run(true, async (server, printed) => {
      const watch = await eventually('the watch is asked for', () => server.exchanges[1]);
      watch.head(200);
      for (const line of ['one\n', 'two\n']) {
        await watch.write(line);
        // A program that nothing keeps alive ends as soon as it waits for the next line.
        await eventually('the line was read', () => printed().endsWith(line));
      }
      watch.end();
    });
    expect(ended).toEqual({ code: 0, output: 'one\ntwo\n' });
  });
});
