import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ValidationResult } from '../src/index.ts';

const PAGE = `
import { deployments, pods, secrets } from '@listwatch/kinds';
import { validate } from '@listwatch/rules';
const kinds = { deployments, pods, secrets };
globalThis.ask = async (kind, text) => JSON.stringify(await validate(kinds[kind], JSON.parse(text)));
`;

/** What a browser has, of all that the rules use. Nothing of Node: no Buffer, no process, no require. */
const BROWSER = { TextEncoder, TextDecoder, atob, btoa };

let ask: (kind: string, text: string) => Promise<string>;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'iife',
    // A module of Node is an error here.
    platform: 'browser',
    conditions: ['@listwatch/source'],
    target: 'es2022',
    logLevel: 'error',
  });
  const page = createContext({ ...BROWSER });
  runInContext(outputFiles[0]?.text ?? '', page);
  ask = page['ask'];
});

async function validated(kind: string, object: object): Promise<ValidationResult> {
  return JSON.parse(await ask(kind, JSON.stringify(object)));
}

describe('in a browser', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'd' }] } };

  it('a Deployment gets its defaults', async () => {
    const spec = { selector: { matchLabels: { a: 'b' } }, template };
    const { object, errors } = await validated('deployments', { metadata: { name: 'web' }, spec });
    expect(errors).toEqual([]);
    expect(object).toMatchObject({ kind: 'Deployment', spec: { replicas: 1, progressDeadlineSeconds: 600 } });
  });

  it('a Pod that no server would take is refused, by rules about addresses too', async () => {
    const spec = { ...template.spec, hostAliases: [{ ip: 'x' }], dnsPolicy: 'None' };
    const { errors } = await validated('pods', { metadata: { name: 'web' }, spec });
    expect(errors.map(({ path }) => path)).toEqual(['spec.dnsConfig', 'spec.hostAliases[0].ip']);
  });

  it('a Secret is encoded', async () => {
    const { object } = await validated('secrets', { metadata: { name: 'a' }, stringData: { a: 'grüße' } });
    expect(object).toMatchObject({ data: { a: 'Z3LDvMOfZQ==' } });
  });
});
