/** Records what was asked of the server, by whom and with what result. Start here. */

import type { Clock } from '@listwatch/storage';
import type { UserInfo } from '../../contract/api-request.ts';
import type { Route } from '../../contract/route.ts';
import type { AuditBackend } from './audit-backend.ts';
import type { AuditCounts } from './audit-counts.ts';
import type { AuditEvent } from './audit-event.ts';
import type { AuditPolicy } from './audit-policy.ts';
import { AuditRecord, type AuditRecordParts, type RecordedRequest } from './audit-record.ts';
import { AuditTime } from './audit-time.ts';
import { auditedRequest } from './audited-request.ts';
import { type AuditRuling, CompiledPolicy } from './compiled-policy.ts';
import { waitAtMost } from './wait-at-most.ts';

/** What an auditor is made of. */
export interface AuditorParts {
  readonly policy: AuditPolicy;
  readonly backends: readonly AuditBackend[];
  readonly counts: AuditCounts;
  readonly clock: Clock;
  /** A body in YAML as JSON. Throws for one that is none. */
  readonly yamlJson: (body: Buffer) => string;
}

/** Answers wait so long for a backend that takes nothing. Then they go on, and what the backend cannot hold is lost and counted. */
const ROOM_MS = 30_000;

/** Makes the records of requests and hands their events to the backends. */
export class Auditor {
  readonly #policy: CompiledPolicy;
  readonly #backends: readonly AuditBackend[];
  readonly #counts: AuditCounts;
  readonly #clock: Clock;
  readonly #recordParts: AuditRecordParts;

  constructor({ policy, backends, counts, clock, yamlJson }: AuditorParts) {
    this.#policy = new CompiledPolicy(policy);
    this.#backends = backends;
    this.#counts = counts;
    this.#clock = clock;
    this.#recordParts = {
      time: new AuditTime(clock),
      rule: (route, user) => this.#rule(route, user),
      take: (event) => this.#take(event),
      room: () => this.#room(),
      isStrict: backends.some(({ isStrict }) => isStrict),
      yamlJson,
    };
  }

  begin(request: RecordedRequest): AuditRecord {
    return new AuditRecord(this.#recordParts, request);
  }

  /** A request was refused because its event could not be stored. */
  rejected(): void {
    this.#counts.rejected += 1;
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await Promise.all(this.#backends.map((backend) => backend.close()));
  }

  #rule(route: Route, user: UserInfo | undefined): AuditRuling {
    const ruling = this.#policy.rule(auditedRequest(route, user));
    this.#counts.levels[ruling.level] += 1;
    return ruling;
  }

  #room(): Promise<unknown> | undefined {
    for (const backend of this.#backends) {
      const room = backend.room();
      // A disk that hangs must not hold requests beyond their deadlines.
      if (room !== undefined) return waitAtMost(this.#clock, ROOM_MS, room);
    }
    return undefined;
  }

  #take(event: AuditEvent): Promise<boolean> | undefined {
    this.#counts.events += 1;
    const [first, ...others] = this.#backends;
    const stored = first?.take(event);
    if (others.length === 0) return stored;
    const all = [stored, ...others.map((backend) => backend.take(event))].filter((one) => one !== undefined);
    return all.length === 0 ? undefined : Promise.all(all).then((each) => each.every(Boolean));
  }
}
