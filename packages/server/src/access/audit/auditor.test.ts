import { unauthorized } from '@listwatch/api';
import { FakeClock } from '@listwatch/api/fake-clock';
import { expect, it } from 'vitest';
import { parseRoute } from '../../route/parse-route.ts';
import type { AuditBackend } from './audit-backend.ts';
import { AuditCounts } from './audit-counts.ts';
import type { AuditEvent } from './audit-event.ts';
import { readAuditPolicy } from './audit-policy.ts';
import { Auditor } from './auditor.ts';

/** A backend whose room the test gives. */
class HeldBackend implements AuditBackend {
  readonly name = 'log';
  readonly isStrict = false;
  readonly taken: AuditEvent[] = [];
  makeRoom = (): void => {};
  #room: Promise<void> | undefined;

  hold(): void {
    this.#room = new Promise((resolve) => {
      this.makeRoom = resolve;
    });
  }

  take(event: AuditEvent): undefined {
    this.taken.push(event);
  }

  room(): Promise<void> | undefined {
    return this.#room;
  }

  async close(): Promise<void> {}
}

function failingRequest(backend: AuditBackend, clock: FakeClock): Promise<void> {
  const policy = readAuditPolicy({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] });
  const auditor = new Auditor({ policy, backends: [backend], counts: new AuditCounts(), clock, yamlJson: String });
  const route = parseRoute('GET', { path: '/version', query: '' });
  const incoming = { header: () => undefined, peer: () => '127.0.0.1' };
  const record = auditor.begin({ incoming, route, requestURI: '/version', auditId: 'id' });
  const error = unauthorized();
  return record.failing(error, { type: 'bytes', status: 401, headers: {}, body: Buffer.alloc(0) }, undefined);
}

it('a stranger who is refused waits for a backend that is full, like everybody else', async () => {
  const backend = new HeldBackend();
  backend.hold();
  const failed = failingRequest(backend, new FakeClock());
  const first = Promise.race([failed, new Promise((resolve) => setImmediate(resolve, 'waits'))]);
  expect(await first).toBe('waits');
  expect(backend.taken.map(({ stage, code }) => [stage, code])).toEqual([['ResponseStarted', 401]]);
  backend.makeRoom();
  await failed;
});

it('nobody waits longer than half a minute for a backend that takes nothing', async () => {
  const backend = new HeldBackend();
  backend.hold();
  const clock = new FakeClock();
  const failed = failingRequest(backend, clock);
  await expect.poll(() => clock.pending).toBe(1);
  await clock.advance(30_000);
  await failed;
});
