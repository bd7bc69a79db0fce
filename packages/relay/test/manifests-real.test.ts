import { readFileSync } from 'node:fs';
import { applyYaml, connect, loadYaml } from '@listwatch/client';
import { needs, startKubeApiserver } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';

const RELAY = new URL('../../../deploy/relay.yaml', import.meta.url);

describe('the manifests of the guide', needs('kube-apiserver'), () => {
  it('are taken by kube-apiserver in a dry run on the server, without a warning', async () => {
    await using server = await startKubeApiserver();
    const warnings: string[] = [];
    await using cluster = await connect({
      server: server.url,
      caData: server.ca,
      token: server.token,
      onWarning: ({ text }) => warnings.push(text),
    });
    const [namespace, ...rest] = await loadYaml(readFileSync(RELAY, 'utf8'));
    // The others live in it: it cannot be dry.
    await applyYaml(cluster, namespace ?? {});
    const applied = await applyYaml(cluster, rest, { dryRun: true });
    expect(applied.map(({ object }) => object.kind)).toEqual(expect.arrayContaining(rest.map(({ kind }) => kind)));
    expect(applied).toHaveLength(rest.length);
    expect(warnings).toEqual([]);
  }, 240_000);
});
