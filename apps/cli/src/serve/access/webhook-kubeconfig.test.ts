import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../temporary-folder.fixture.ts';
import { readWebhookKubeconfig } from './webhook-kubeconfig.ts';

const newFolder = temporaryFolders();

function write(content: object): string {
  const folder = newFolder();
  for (const name of ['ca.crt', 'me.crt', 'me.key', 'token']) writeFileSync(join(folder, name), `${name} content\n`);
  const path = join(folder, 'webhook.yaml');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const config = (cluster: object, user: object): object => ({
  'current-context': 'c',
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster }],
  users: [{ name: 'u', user }],
});
const data = (text: string): string => Buffer.from(text).toString('base64');

describe('the kubeconfig of a webhook', () => {
  it('says where it is and who we are, in files beside it or in itself', async () => {
    const files = write(
      config(
        { server: 'https://hook', 'certificate-authority': 'ca.crt', 'tls-server-name': 'n' },
        { 'client-certificate': 'me.crt', 'client-key': 'me.key', tokenFile: 'token' },
      ),
    );
    expect(await readWebhookKubeconfig(files, 'o')).toEqual({
      url: 'https://hook',
      ca: 'ca.crt content\n',
      cert: 'me.crt content\n',
      key: 'me.key content\n',
      token: 'token content',
      serverName: 'n',
    });
    const inside = write(config({ server: 'https://hook', 'certificate-authority-data': data('CA') }, { token: 't' }));
    expect(await readWebhookKubeconfig(inside, 'o')).toMatchObject({ url: 'https://hook', ca: 'CA', token: 't' });
  });

  it.each([
    [config({}, {}), 'its cluster has no server'],
    [{}, 'has no current-context'],
    [config({ server: 'https://hook', 'certificate-authority': 'nope' }, {}), 'nope'],
  ])('%j is refused, with the option', async (content, problem) => {
    const path = write(content);
    await expect(readWebhookKubeconfig(path, 'the-option')).rejects.toThrow('--the-option must be a kubeconfig');
    await expect(readWebhookKubeconfig(path, 'the-option')).rejects.toThrow(problem);
  });
});
