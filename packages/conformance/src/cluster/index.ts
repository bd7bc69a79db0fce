/** A cluster of real processes under load and faults. Start at `runCluster`. */

export { type ClusterProcesses, type ClusterProcessesOptions, startClusterProcesses } from './cluster-processes.ts';
export { type ClusterRunOptions, type ClusterRunSummary, runCluster } from './cluster-run.ts';
export { FAULT_TYPES, type FaultType, RELAY_FAULT_TYPES } from './fault-plan.ts';
export type { ServerProcess } from './server-process.ts';
export { checkUpgradedStore, type UpgradedStoreOptions } from './upgraded-store.ts';
