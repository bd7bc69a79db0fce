/** The door for whole programs, on Node: several controllers with leader election, probes and metrics. Start at `manager`. */

export {
  type RoleRule,
  type SmallestRole,
  type SmallestRolesOptions,
  smallestRoles,
} from '../rights/smallest-roles.ts';
export { parseUsedRights, type UsedRight, type UsedRights } from '../rights/used-right.ts';
export type { HealthServerOptions } from './health-server.ts';
export { type Manager, manager } from './manager.ts';
export { ManagerError, type ManagerErrorCode } from './manager-error.ts';
export type { ManagedControllerOptions, ManagerElectionOptions, ManagerOptions } from './manager-options.ts';
export type { Runnable, RunnableSurroundings } from './runnable.ts';
export { untilSignal } from './until-signal.ts';
