/** What the server says of itself, read past the proxy and without any client library. */

import { request } from 'node:https';

/** Where to read. */
export interface FactSource {
  readonly address: string;
  readonly token: string;
}

async function read({ address, token }: FactSource, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    // The certificate is the server's own; nothing but loopback is read here.
    const sent = request(new URL(path, address), { headers, agent: false, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.on('data', (data: Buffer) => {
        text += data.toString();
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Every resource without its subresources, as `v1/pods` or `apps/v1/deployments`, with its kind. */
export async function readResources(source: FactSource): Promise<ReadonlyMap<string, string>> {
  const { groups } = JSON.parse(await read(source, '/apis'));
  const versions: string[] = ['v1'];
  for (const group of groups) for (const { groupVersion } of group.versions) versions.push(groupVersion);
  const found = new Map<string, string>();
  for (const version of versions) {
    const path = version === 'v1' ? '/api/v1' : `/apis/${version}`;
    for (const { name, kind } of JSON.parse(await read(source, path)).resources) {
      if (!String(name).includes('/')) found.set(`${version}/${name}`, kind);
    }
  }
  return found;
}

/** The sum of the series of a metric that have these labels. */
export async function readMetric(
  source: FactSource,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const lines = (await read(source, '/metrics')).split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines
    .filter((line) => wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
