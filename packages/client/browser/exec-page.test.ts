import { fileURLToPath } from 'node:url';
import { type ApiObject, resource } from '@listwatch/api';
import { connect } from '@listwatch/client';
import { type PeerConnection, runCommand, startStreamPeer } from '@listwatch/conformance/kubelet';
import { needs, requireRealPart, TestAuthority } from '@listwatch/conformance/parts';
import { createApiServer, firstAuthenticator } from '@listwatch/server';
import { createMemoryEngine } from '@listwatch/storage';
import { build } from 'esbuild';
import { chromium, type Page } from 'playwright-core';
import { expect, it } from 'vitest';

const nodes = resource<ApiObject & { readonly status?: unknown }>({
  version: 'v1',
  plural: 'nodes',
  kind: 'Node',
  namespaced: false,
});
const pods = resource<ApiObject & { readonly spec?: unknown }>({
  version: 'v1',
  plural: 'pods',
  kind: 'Pod',
  namespaced: true,
});
const IDS = ['sorted', 'failed', 'missing', 'attached', 'done'];

/** The door for browsers: no condition `node`, and nothing of Node to fall back on. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('exec-page.ts', import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['@listwatch/source'],
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

function serveStream(connection: PeerConnection): void {
  // Attached to a program that repeats what it reads.
  if (connection.path.startsWith('/attach/')) connection.query.append('command', 'cat');
  runCommand(connection);
}

async function textOf(page: Page, id: string): Promise<string> {
  return (await page.locator(`#${id}`).textContent()) ?? '';
}

it('a page runs commands with input, output and exit codes, and attaches', needs('Chromium'), async () => {
  using authority = new TestAuthority();
  const [engine, script] = [createMemoryEngine(), await bundle()];
  await using kubelet = await startStreamPeer({ certificate: authority.server(), onConnection: serveStream });
  const server = createApiServer({
    engine,
    tls: authority.server(),
    kubelets: { caData: authority.ca },
    authenticator: firstAuthenticator([
      { authenticate: ({ token }) => (token === 'secret' ? { name: 'me', groups: ['system:masters'] } : undefined) },
    ]),
  });
  await server.listen();
  const cluster = await connect({ server: server.url, caData: authority.ca, token: 'secret' });
  const browser = await chromium.launch({ executablePath: requireRealPart('Chromium') });
  try {
    await cluster.create(nodes, { metadata: { name: 'node' } });
    const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
    const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port: kubelet.port } } };
    await cluster.patch(nodes, { name: 'node' }, { type: 'merge', body: { status } }, { subresource: 'status' });
    const spec = { nodeName: 'node', containers: [{ name: 'c', image: 'i' }] };
    await cluster.create(pods, { metadata: { namespace: 'default', name: 'web' }, spec });
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    // A document of the server, filled with ours: a page may talk to its own origin only.
    await page.goto(`${server.url}/livez#token=secret`);
    await page.setContent(IDS.map((id) => `<p id="${id}"></p>`).join(''));
    await page.addScriptTag({ type: 'module', content: script });
    await page.locator('#done', { hasText: 'yes' }).waitFor({ state: 'attached' });
    expect(JSON.parse(await textOf(page, 'sorted'))).toEqual({ code: 0, stdout: 'a\nb\n', stderr: '' });
    expect(JSON.parse(await textOf(page, 'failed'))).toEqual({ code: 7, stdout: '', stderr: 'oh\n' });
    expect(await textOf(page, 'missing')).toContain('pods "missing" not found');
    expect(await textOf(page, 'attached')).toBe('hello');
  } finally {
    await browser.close();
    await cluster.close();
    await server.close();
    await engine.close();
  }
});
