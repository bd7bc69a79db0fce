/** What kubectl prints for a script of commands, without what differs from run to run; no test itself, and not shipped. */

import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { withSortedManagers } from './managed-entries.fixture.ts';

const SCRIPTS = new URL('kubectl-scripts/', import.meta.url);

/** The server that kubectl talks to. */
export interface TranscriptServer {
  readonly url: string;
  readonly kubeconfig: string;
  /** The name of the user that the kubeconfig has a token of. */
  readonly user: string;
  /** A folder for the cache of discovery: one of another server would be believed. */
  readonly cache: string;
}

/** One command with everything that it printed. */
export interface TranscriptEntry {
  readonly command: string;
  readonly output: string;
}

/** Runs each line of a script with `sh`, in a namespace of its own. */
export async function transcriptOf(script: string, server: TranscriptServer): Promise<readonly TranscriptEntry[]> {
  const text = await readFile(new URL(`${script}.sh`, SCRIPTS), 'utf8');
  const namespace = `script-${script}`;
  await outputOf(`kubectl create namespace ${namespace}`, 'default', server);
  const entries: TranscriptEntry[] = [];
  for (const command of text.split('\n').filter((line) => line !== '')) {
    entries.push({ command, output: stable(await outputOf(command, namespace, server), server) });
  }
  return entries;
}

/** Both streams and the exit code; the streams apart, because their order is not certain. */
function outputOf(command: string, namespace: string, { kubeconfig, cache }: TranscriptServer): Promise<string> {
  const line = `kubectl() { timeout 60 kubectl --kubeconfig '${kubeconfig}' --cache-dir '${cache}' -n ${namespace} "$@"; }\n${command}`;
  // `-n` of a command that names its own comes later and wins.
  const child = spawn(line, { shell: true, cwd: SCRIPTS, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(`${stdout}${stderr}exit ${code}\n`));
  });
}

const UNSTABLE: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gu, 'UID'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z| [+-]\d{4} UTC)?/gu, 'TIME'],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/gu, 'TIME'],
  [/(resourceVersion"?: )"\d+"/gu, '$1VERSION'],
  [/(Resource Version: +)\d+/gu, '$1VERSION'],
  [/\b(?:\d+m)?\d+s\b|\b\d+m\b(?=\n|$)/gmu, 'AGE'],
  [/\b10\.\d+\.\d+\.\d+\b/gu, 'ADDRESS'],
  [/\b3[0-2]\d{3}\b/gu, 'NODEPORT'],
  [/\/tmp\/[\w./-]+/gu, 'FILE'],
  [/(?<=LIVE|MERGED)-\d+/gu, ''],
  // kube-apiserver repairs the addresses of Services now and then, and tells of one that was made at that moment.
  [/Events:\n *Type .*\n *---.*\n(?: *Warning .* ipallocator-repair-controller .*\n)+/gu, 'Events:  <none>\n'],
  // The width of a column depends on the longest age, and the dashes below it on the width.
  [/(?<=\S)[ \t]{2,}/gu, '  '],
  [/[ \t]+$/gmu, ''],
];

function stable(output: string, { url, user }: TranscriptServer): string {
  return UNSTABLE.reduce(
    (text, [pattern, word]) => text.replace(pattern, word),
    withSortedManagers(output).replaceAll(url, 'URL').replaceAll(user, 'USER'),
  );
}
