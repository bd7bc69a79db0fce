/** Runs a program that logs in for us, by the protocol of `client.authentication.k8s.io`. */

import { spawn } from 'node:child_process';
import { isatty } from 'node:tty';
import { ConfigError } from './config-error.ts';
import type { YamlNode } from './yaml-node.ts';

/** What the program is told of the cluster, if it wants to know. */
export interface ExecClusterInfo {
  readonly [field: string]: unknown;
}

export interface ExecSpec {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly interactiveMode: 'Always' | 'IfAvailable' | 'Never';
  readonly installHint: string | undefined;
  readonly cluster: ExecClusterInfo | undefined;
  /** `file:line` of its section. */
  readonly place: string;
}

/** What it answered. */
export interface ExecAnswer {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Milliseconds since 1970; absent: as long as the process lives, or the server takes it. */
  readonly expiresAt: number | undefined;
}

const GROUP = 'client.authentication.k8s.io';
const MODES = ['Always', 'IfAvailable', 'Never'] as const;
const KEPT_STDERR = 2048;

/** Reads the `exec` section of a user. */
export function execSpec(node: YamlNode, cluster: () => ExecClusterInfo): ExecSpec {
  const apiVersion = node.text('apiVersion') ?? '';
  if (apiVersion !== `${GROUP}/v1` && apiVersion !== `${GROUP}/v1beta1`) {
    const message = `${node.place}: apiVersion ${apiVersion || '(none)'} is not spoken; use ${GROUP}/v1 or v1beta1`;
    throw new ConfigError('UNSUPPORTED', message);
  }
  const command = node.text('command');
  if (command === undefined) throw node.invalid('has no command');
  const mode = node.text('interactiveMode') ?? (apiVersion.endsWith('/v1') ? '' : 'IfAvailable');
  const interactiveMode = MODES.find((known) => known === mode);
  if (interactiveMode === undefined) throw node.invalid(`needs an interactiveMode: ${MODES.join(', ')}`);
  const variables = node.list('env').map((item) => [item.text('name') ?? '', item.text('value') ?? ''] as const);
  return {
    apiVersion,
    // A bare name is looked for in PATH; a path is relative to the file it stands in.
    command: (/[\\/]/u.test(command) ? node.path('command') : undefined) ?? command,
    args: node.texts('args'),
    env: Object.fromEntries(variables),
    interactiveMode,
    installHint: node.text('installHint'),
    cluster: node.flag('provideClusterInfo') ? cluster() : undefined,
    place: node.place,
  };
}

/** Runs it and reads its answer. */
export async function runExecPlugin(spec: ExecSpec): Promise<ExecAnswer> {
  const interactive = spec.interactiveMode !== 'Never' && isatty(0);
  if (spec.interactiveMode === 'Always' && !interactive) throw failed(spec, 'it wants to ask, and this is no terminal');
  const info = {
    apiVersion: spec.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive, ...(spec.cluster === undefined ? {} : { cluster: spec.cluster }) },
  };
  const output = await run(spec, interactive, { ...spec.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) });
  return answerOf(spec, output);
}

function run(spec: ExecSpec, interactive: boolean, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(spec.command, spec.args, {
      env: { ...process.env, ...env },
      // Its questions go to whoever sits there; in a service its complaints go into our error.
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
    });
    let output = '';
    let complaints = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (text: string) => (complaints = (complaints + text).slice(-KEPT_STDERR)));
    child.once('error', (error) => {
      const missing = 'code' in error && error.code === 'ENOENT';
      const hint = spec.installHint === undefined ? '' : `\n${spec.installHint.trim()}`;
      reject(failed(spec, missing ? `it is not installed${hint}` : error.message, error));
    });
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(failed(spec, `it ended with ${signal ?? code}: ${complaints.trim() || 'it said nothing'}`));
    });
  });
}

function answerOf(spec: ExecSpec, output: string): ExecAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch (error) {
    throw failed(spec, 'what it wrote is not JSON', error);
  }
  const { apiVersion, status } = fields(answer);
  if (apiVersion !== spec.apiVersion)
    throw failed(spec, `it answered in ${String(apiVersion)}, not in ${spec.apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = fields(status);
  const expiresAt = typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : undefined;
  if (Number.isNaN(expiresAt)) throw failed(spec, `its expirationTimestamp is no time: ${String(expirationTimestamp)}`);
  const given = { token: textOf(token), cert: textOf(cert), key: textOf(key), expiresAt };
  if ((given.cert === undefined) !== (given.key === undefined)) throw failed(spec, 'a certificate needs its key');
  if (given.token === undefined && given.cert === undefined) {
    throw failed(spec, 'it gave neither a token nor a certificate');
  }
  return given;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function failed(spec: ExecSpec, problem: string, cause?: unknown): ConfigError {
  return new ConfigError('LOGIN_FAILED', `${spec.place}: ${spec.command} did not log in: ${problem}`, { cause });
}
