/** The controllers that a Kubernetes API needs to feel alive. Start at `startControllers`. */

export type { BuiltInController, ControllerSurroundings } from './built-in-controller.ts';
export { CONTROLLER_NAMES } from './built-in-controllers.ts';
export { ControllerNameError, selectControllers } from './controller-selection.ts';
export type { LoopbackUser } from './controller-users.ts';
export { controllersMetrics } from './controllers-metrics.ts';
export type { ControllersOptions } from './controllers-options.ts';
export { type GarbageCollector, type GarbageCollectorOptions, garbageCollector } from './garbage/garbage-collector.ts';
export type { GarbageCollectorMetrics } from './garbage/garbage-metrics.ts';
export type { OwnedKindsSource } from './garbage/owned-kinds-source.ts';
export type { ServerAddress } from './kubernetes-service/service-addresses.ts';
export {
  type ControllerRequest,
  type LoopbackControllersOptions,
  type LoopbackServer,
  startLoopbackControllers,
} from './loopback-controllers.ts';
export { type RunningControllers, startControllers } from './start-controllers.ts';
