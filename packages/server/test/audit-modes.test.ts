import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@listwatch/conformance/parts';
import { describe, expect, it } from 'vitest';
import { AuditedServer } from './audited-server.fixture.ts';

const OWN_FILE = fileURLToPath(import.meta.url);
const METADATA = [{ level: 'Metadata' }];

/** A metric's sum over its labels. */
async function metric(server: AuditedServer, name: string): Promise<number> {
  const { text } = await server.ask('GET', '/metrics');
  const lines = text.split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('a server with an audit log', () => {
  it('counts events and levels', async () => {
    await using server = await AuditedServer.start({ rules: [{ level: 'Metadata', nonResourceURLs: ['/version'] }] });
    await server.ask('GET', '/version');
    await server.ask('GET', '/api');
    expect(await metric(server, 'apiserver_audit_event_total')).toBe(2);
    expect(await metric(server, 'apiserver_audit_level_total{level="Metadata"}')).toBe(1);
    expect(await metric(server, 'apiserver_audit_error_total')).toBe(0);
  });

  it('does not start when the log cannot be opened', async () => {
    const server = new AuditedServer({ rules: METADATA, log: { path: join(OWN_FILE, 'audit.log') } });
    await expect(server.server.start()).rejects.toMatchObject({ code: 'EEXIST' });
    rmSync(server.folder, { recursive: true });
  });

  it.each([
    [{ path: '' }, 'audit.log.path must name a file'],
    [{ maxSize: -1 }, 'audit.log.maxSize must be a number of 0 or more, not -1'],
    [{ batch: { bufferSize: 0 } }, 'audit.log.batch.bufferSize must be a number of 1 or more, not 0'],
    [{ truncate: { maxEventSize: 10, maxBatchSize: 5 } }, 'audit.log.truncate.maxBatchSize must be a number of 10'],
  ])('refuses the options %j', (log, message) => {
    expect(() => new AuditedServer({ rules: METADATA, log })).toThrow(message);
  });
});

async function onFullDisk(
  mode: 'batch' | 'blocking' | 'blocking-strict',
  work: (server: AuditedServer, makeRoom: () => void) => Promise<void>,
): Promise<void> {
  const server = new AuditedServer({ rules: METADATA, log: { mode } });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', server.folder]);
  const ballast = join(server.folder, 'ballast');
  try {
    await server.server.start();
    writeFileSync(ballast, '');
    for (;;) {
      try {
        writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' });
      } catch {
        break;
      }
    }
    await work(server, () => rmSync(ballast));
  } finally {
    await server.server.close();
    spawnSync('umount', ['-l', server.folder]);
    await server[Symbol.asyncDispose]();
  }
}

describe('a full disk', needs('tmpfs'), () => {
  it('under blocking-strict refuses requests until there is room again', () =>
    onFullDisk('blocking-strict', async (server, makeRoom) => {
      const refused = await server.ask('GET', '/version');
      expect([refused.status, refused.headers['content-type'], refused.text]).toEqual([
        500,
        'text/plain; charset=utf-8',
        'Internal Server Error: "/version": failed to store audit event\n',
      ]);
      const stranger = await server.ask('GET', '/version', undefined, { authorization: 'Bearer nope' });
      expect(stranger.status).toBe(401);
      makeRoom();
      expect((await server.ask('GET', '/version')).status).toBe(200);
      // One of the refused request, one of the stranger, two of the last; and the first of this one.
      expect(await metric(server, 'apiserver_audit_event_total')).toBe(5);
      expect(await metric(server, 'apiserver_audit_requests_rejected_total')).toBe(1);
      expect(await metric(server, 'apiserver_audit_error_total')).toBeGreaterThanOrEqual(1);
    }));

  it.each(['blocking', 'batch'] as const)('under %s loses events, counts them and tells it in one line', (mode) =>
    onFullDisk(mode, async (server, makeRoom) => {
      for (let i = 0; i < 3; i += 1) expect((await server.ask('GET', '/version')).status).toBe(200);
      await expect.poll(() => metric(server, 'apiserver_audit_error_total{plugin="log"}')).toBeGreaterThanOrEqual(6);
      expect(server.errors).toHaveLength(1);
      expect(server.errors[0]).toMatch(/^Error in audit plugin 'log' affecting \d audit events: ENOSPC/u);
      makeRoom();
      expect((await server.ask('GET', '/version', undefined, { 'audit-id': 'after' })).status).toBe(200);
      await expect.poll(() => readFileSync(server.path, 'utf8')).toContain('"auditID":"after"');
    }),
  );
});
