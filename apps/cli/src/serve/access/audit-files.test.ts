import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RawOptions } from '../config-file.ts';
import { resolveSettings } from '../serve-settings.ts';
import { readAuditFiles } from './audit-files.ts';
import { readWebhookConfig } from './audit-webhook-config.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-audit-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const files = (flags: RawOptions): ReturnType<typeof readAuditFiles> =>
  readAuditFiles(resolveSettings({ flags, env: {} }).settings);
const policy = (rules: string): string =>
  written('policy.yaml', `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: ${rules}\n`);

describe('the files of the audit log', () => {
  it('are none when nothing is said', () => {
    expect(files({})).toEqual({ options: undefined, warnings: [] });
  });

  it('become options, with the defaults of kube-apiserver', () => {
    const clusters = 'clusters: [{name: c, cluster: {server: "https://audit.example.com/k"}}]\n';
    const context = 'contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n';
    const { options } = files({
      auditPolicyFile: policy('[{level: Metadata}]'),
      auditLogPath: '/var/log/audit.log',
      auditWebhookConfigFile: written('webhook.yaml', clusters + context),
      auditWebhookTruncateEnabled: 'true',
    });
    expect(options).toMatchObject({
      policy: { rules: [{ level: 'Metadata' }] },
      log: { path: '/var/log/audit.log', mode: 'blocking', maxSize: 100, maxAge: 366, maxBackup: 100, format: 'json' },
      webhook: {
        target: { url: 'https://audit.example.com/k' },
        mode: 'batch',
        initialBackoffMs: 10_000,
        batch: { bufferSize: 10_000, maxSize: 400, maxWaitMs: 30_000, throttleQps: 10, throttleBurst: 15 },
        truncate: { maxEventSize: 102_400, maxBatchSize: 10_485_760 },
      },
    });
    expect(options?.log?.truncate).toBeUndefined();
  });

  it('a policy without a log is told, and unknown fields of a policy are', () => {
    expect(files({ auditPolicyFile: policy('[{level: None, verb: get}]') }).warnings).toEqual([
      '--audit-policy-file: unknown field "rules[0].verb" is not used',
      'nothing is recorded: --audit-policy-file needs --audit-log-path or --audit-webhook-config-file',
    ]);
  });

  it('a log without a policy, a wrong policy and a missing one end the start', () => {
    expect(() => files({ auditLogPath: '-' })).toThrow('--audit-policy-file must be given with --audit-log-path');
    const wrong = policy('[{level: All}]');
    expect(() => files({ auditPolicyFile: wrong })).toThrow(
      `loading audit policy file: rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse": from file ${wrong}`,
    );
    expect(() => files({ auditPolicyFile: written('p.yaml', 'a: [') })).toThrow('loading audit policy file: ');
    expect(() => files({ auditPolicyFile: join(folder, 'none') })).toThrow(
      '--audit-policy-file must be a file that can be read',
    );
  });

  it('a webhook of no context, or of a wrong one, ends the start', () => {
    const auditPolicyFile = policy('[{level: Metadata}]');
    const auditWebhookConfigFile = written('webhook.yaml', 'clusters: []\n');
    expect(() => files({ auditPolicyFile, auditWebhookConfigFile })).toThrow(
      `--audit-webhook-config-file must be a kubeconfig, got ${auditWebhookConfigFile}: the server must be a URL, not missing`,
    );
  });
});

const config = (cluster: object, user: object): object => ({
  'current-context': 'x',
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  clusters: [{ name: 'c', cluster: { server: 'https://h', ...cluster } }],
  users: [{ name: 'u', user }],
});

describe('the kubeconfig of a webhook', () => {
  it('has certificates as data or as files beside it', () => {
    written('ca.pem', 'CA');
    const data = Buffer.from('KEY').toString('base64');
    const read = readWebhookConfig(
      config({ 'certificate-authority': 'ca.pem', 'tls-server-name': 'n' }, { 'client-key-data': data }),
      join(folder, 'webhook.yaml'),
    );
    expect(read).toMatchObject({ ca: 'CA', key: 'KEY', tlsServerName: 'n', insecureSkipTlsVerify: false });
  });

  it('has a token, a file of one that is read each time, or a password', () => {
    const authorization = (user: object): string | undefined =>
      readWebhookConfig(config({}, user), join(folder, 'webhook.yaml')).authorization?.();
    expect(authorization({ token: 't' })).toBe('Bearer t');
    expect(authorization({ username: 'u', password: 'p' })).toBe('Basic dTpw');
    expect(authorization({})).toBeUndefined();
    written('token', 'old\n');
    const read = readWebhookConfig(config({}, { tokenFile: 'token' }), join(folder, 'webhook.yaml'));
    written('token', 'new\n');
    expect(read.authorization?.()).toBe('Bearer new');
  });

  it('that names what it does not have is refused', () => {
    const broken = { ...config({}, {}), users: [] };
    expect(() => readWebhookConfig(broken, 'f')).toThrow('the user "u" of the context is missing');
    expect(() => readWebhookConfig(config({ 'certificate-authority': 'none' }, {}), join(folder, 'f'))).toThrow(
      `${join(folder, 'none')} cannot be read`,
    );
  });
});
