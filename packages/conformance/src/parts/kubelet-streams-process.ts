/** The server of streams of a real kubelet as a child process. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { requireRealPart } from './real-part.ts';
import type { TestCertificatePair } from './test-authority.ts';

/** A running one: `interop/kubelet-streams`. */
export interface KubeletStreamsProcess extends AsyncDisposable {
  readonly port: number;
  /** What it was asked: `GET websocket /exec/...`. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Starts it on loopback. */
export async function startKubeletStreams({ cert, key }: TestCertificatePair): Promise<KubeletStreamsProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'listwatch-kubelet-streams-'));
  const [certFile, keyFile] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  const child = spawn(requireRealPart('kubelet-streams'), [certFile, keyFile], { stdio: 'pipe' });
  const exited = once(child, 'exit');
  const requests: string[] = [];
  createInterface(child.stderr).on('line', (line) => requests.push(line.replace(/^\S+ \S+ /u, '')));
  const [port] = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  return { port: Number(port), requests, stop, [Symbol.asyncDispose]: stop };
}
