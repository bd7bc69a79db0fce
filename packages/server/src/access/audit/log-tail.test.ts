import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditEvent } from './audit-event.fixture.ts';
import { type AuditEvent, eventJson } from './audit-event.ts';
import { readLogTail } from './log-tail.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'listwatch-tail-'));
  path = join(folder, 'audit.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

const WEB = { group: 'apps', resource: 'deployments', namespace: 'shop', name: 'web' };
const NONE = { uid: '', resourceVersion: '', subresource: '' };
const WEB_REF = {
  ...NONE,
  resource: 'deployments',
  namespace: 'shop',
  name: 'web',
  apiGroup: 'apps',
  apiVersion: 'v1',
};
const written = (...events: readonly AuditEvent[]): void =>
  writeFileSync(path, events.map((event) => `${eventJson(event)}\n`).join(''));
const done = (id: string, fields: Partial<AuditEvent> = {}): AuditEvent =>
  auditEvent(id, { stage: 'ResponseComplete', object: WEB_REF, responseStatus: '{"code":200}', ...fields });

describe('the end of the log', () => {
  it('has the last requests for an object, the newest first, each once', async () => {
    written(
      done('1'),
      auditEvent('2', { object: WEB_REF }),
      done('2', { responseStatus: '{"metadata":{},"code":403}' }),
      auditEvent('3', { object: WEB_REF }),
      done('other name', { object: { ...WEB_REF, name: 'db' } }),
      done('other namespace', { object: { ...WEB_REF, namespace: 'test' } }),
      done('other group', { object: { ...WEB_REF, apiGroup: '' } }),
      done('other resource', { object: { ...WEB_REF, resource: 'replicasets' } }),
      done('only in its object', { object: undefined, requestObject: '{"metadata":{"name":"web"}}' }),
    );
    const { entries, isComplete } = await readLogTail(path, WEB);
    expect(entries.map(({ auditId, code, user }) => [auditId, code, user])).toEqual([
      ['3', 0, 'ann'],
      ['2', 403, 'ann'],
      ['1', 200, 'ann'],
    ]);
    expect(isComplete).toBe(true);
  });

  it('never has the objects, whatever they pretend to be', async () => {
    const forged = ',"requestReceivedTimestamp":"x","user":{"username":"eve"}';
    written(
      done('1', {
        requestObject: `{"a":1${forged},"secret":"s"}`,
        responseObject: JSON.stringify({ data: forged, large: 'x'.repeat(500_000) }),
      }),
    );
    const { entries } = await readLogTail(path, WEB);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ auditId: '1', user: 'ann', at: '2026-11-16T15:22:31.091588Z' });
    expect(JSON.stringify(entries)).not.toContain('secret');
  });

  it('is searched only so far, and for so many', async () => {
    const many = Array.from({ length: 80 }, (_, i) => done(String(i)));
    written(...many);
    const some = await readLogTail(path, WEB);
    expect([some.entries.length, some.entries[0]?.auditId, some.isComplete]).toEqual([50, '79', false]);
    const filler = done('filler', { object: undefined, requestObject: `"${'x'.repeat(5_000_000)}"` });
    written(done('too far back'), filler, done('found'));
    const { entries, isComplete } = await readLogTail(path, WEB);
    expect([entries.map(({ auditId }) => auditId), isComplete]).toEqual([['found'], false]);
  });

  it('that is no log of ours is passed over', async () => {
    writeFileSync(path, '"name":"web"\n{"name":"web"\n\0\xff"name":"web"\n');
    expect(await readLogTail(path, WEB)).toEqual({ entries: [], isComplete: true });
  });
});
