/** A Kubernetes API server in your test process. Start at `startTestServer`. */

export type { Clock } from '@listwatch/api';
export { FakeClock, type FakeClockOptions } from './fake-clock.ts';
export { createFaults, type FaultsOptions } from './faults/create-faults.ts';
export type { EndOfBody, Fault, FaultOptions } from './faults/fault.ts';
export type { CutOptions, ExpireOptions, Faults, TearOptions } from './faults/faults.ts';
