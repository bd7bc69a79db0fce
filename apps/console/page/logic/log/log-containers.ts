/** The containers of a Pod, and how each is doing. */

import type { ApiObject } from '@listwatch/api';
import type { ContainerStatus, Pod } from '@listwatch/kinds';

export interface LogContainer {
  readonly name: string;
  readonly type: 'container' | 'ephemeral' | 'init';
}

/** How a container is doing. */
export interface ContainerRun {
  /** `unknown`: nobody has written a status. `gone`: the Pod was deleted. */
  readonly state: 'gone' | 'running' | 'terminated' | 'unknown' | 'waiting';
  /** Another one for each run. */
  readonly id: string;
  readonly restarts: number;
  /** `CrashLoopBackOff`; `Error, exit code 1`. */
  readonly detail: string;
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** In the order in which they are chosen from: the containers, those that run before them, those for debugging. */
export function logContainers(pod: ApiObject): readonly LogContainer[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = (hasParts(pod) && pod.spec) || {};
  return [
    ...containers.map(({ name }) => ({ name, type: 'container' }) as const),
    ...initContainers.map(({ name }) => ({ name, type: 'init' }) as const),
    ...ephemeralContainers.map(({ name }) => ({ name, type: 'ephemeral' }) as const),
  ];
}

/** The one that is asked for, if the Pod has it; else the one that kubectl would take. */
export function chosenContainer(pod: ApiObject, wanted: string): string {
  const names = logContainers(pod).map(({ name }) => name);
  const usual = pod.metadata.annotations?.[DEFAULT_CONTAINER] ?? '';
  return [wanted, usual].find((name) => names.includes(name)) ?? names[0] ?? '';
}

export function containerRun(pod: ApiObject, name: string, isGone: boolean): ContainerRun {
  const {
    containerStatuses = [],
    initContainerStatuses = [],
    ephemeralContainerStatuses = [],
  } = (hasParts(pod) && pod.status) || {};
  const all = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
  const found = all.find((status) => status.name === name);
  const run = { id: found?.containerID ?? '', restarts: found?.restartCount ?? 0, ...stateOf(found) };
  return isGone ? { ...run, state: 'gone' } : run;
}

/** Changes when a request for the log may be answered otherwise than before. */
export function runKey({ state, id, restarts }: ContainerRun): string {
  return `${state} ${id} ${restarts}`;
}

function stateOf(status: ContainerStatus | undefined): Pick<ContainerRun, 'detail' | 'state'> {
  const { running, terminated, waiting } = status?.state ?? {};
  if (running !== undefined) return { state: 'running', detail: '' };
  if (terminated !== undefined) {
    const { reason, exitCode } = terminated;
    return { state: 'terminated', detail: [reason, `exit code ${exitCode}`].filter(Boolean).join(', ') };
  }
  return waiting === undefined
    ? { state: 'unknown', detail: '' }
    : { state: 'waiting', detail: waiting.reason ?? waiting.message ?? '' };
}

interface PodParts {
  readonly spec?: Partial<NonNullable<Pod['spec']>>;
  readonly status?: Partial<NonNullable<Pod['status']>>;
}

/** The resource says that it is a Pod; anything of it may still be missing. */
function hasParts(object: ApiObject): object is ApiObject & PodParts {
  return 'spec' in object || 'status' in object;
}
