/** A Kubernetes API server in your test process. Start at `startTestServer`. */

export type { Clock } from '@listwatch/api';
export { FakeClock, type FakeClockOptions } from '@listwatch/api/fake-clock';
export type { ManifestSource } from '@listwatch/client';
export type { CrdSource } from './apply/install-crds.ts';
export type { PolicySource } from './apply/install-policies.ts';
export { createFaults, type FaultsOptions } from './faults/create-faults.ts';
export type { EndOfBody, Fault, FaultOptions } from './faults/fault.ts';
export type { CutOptions, ExpireOptions, Faults, TearOptions } from './faults/faults.ts';
export { type ReplayOptions, replayWatches } from './replay/replay-watches.ts';
export { startTestServer, type TestServerOptions } from './start-test-server.ts';
export type { ApplyManifestsOptions, TestEnvironment } from './test-environment.ts';
export type { TestFaults } from './test-faults.ts';
export type { TestServiceAccount, TestUser } from './test-user.ts';
