/** The table of pods: ready containers, and one word for the state of the pod. */

import { isRecord, type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { ageOf } from '../../columns/human-duration.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { TableColumns } from '../../strategy/kind-definition.ts';

const wide = { priority: 1 };

/** The columns of Pod. */
export const POD_COLUMNS: TableColumns = {
  definitions: [
    NAME_COLUMN,
    column('Ready', 'How many containers are ready, of how many.'),
    column('Status', 'The state of the containers, in one word.'),
    column('Restarts', 'How often containers have been restarted, and when last.'),
    AGE_COLUMN,
    column('IP', 'The address of the pod.', wide),
    column('Node', 'The node that the pod is bound to.', wide),
    column('Nominated Node', 'The node that room is being made on.', wide),
    column('Readiness Gates', 'How many gates are open, of how many.', wide),
  ],
  cells: podCells,
};

function podCells(pod: KubeObject, now: number): readonly unknown[] {
  const spec = recordOf(pod['spec']);
  const status = recordOf(pod['status']);
  const { ready, total, word, restarts, lastRestart } = podSummary(pod, spec, status);
  const shownRestarts =
    restarts === 0 || lastRestart === '' ? `${restarts}` : `${restarts} (${ageOf(lastRestart, now)} ago)`;
  return [
    nameCell(pod),
    `${ready}/${total}`,
    word,
    shownRestarts,
    ageCell(pod, now),
    textOf(recordOf(recordsOf(status['podIPs'])[0])['ip']) || '<none>',
    textOf(spec['nodeName']) || '<none>',
    textOf(status['nominatedNodeName']) || '<none>',
    gatesCell(spec, status),
  ];
}

interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly word: string;
  readonly restarts: number;
  /** The timestamp of the last restart; `''` when there was none. */
  readonly lastRestart: string;
}

function podSummary(pod: KubeObject, spec: JsonRecord, status: JsonRecord): PodSummary {
  const sidecars = new Set(
    recordsOf(spec['initContainers'])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const inits = recordsOf(status['initContainerStatuses']);
  const blocking = inits.findIndex((container) => !isPast(container, sidecars));
  const passed = blocking < 0 ? inits : inits.slice(0, blocking);
  const readySidecars = passed.filter((container) => isStarted(container, sidecars) && container['ready'] === true);
  const total = recordsOf(spec['containers']).length + sidecars.size;
  const initializing = blocking >= 0 && !isTrue(status, 'Initialized');
  // During initialization the column counts restarts of the init containers so far; later, of sidecars and containers.
  const stopped = inits[blocking];
  if (initializing && stopped !== undefined) {
    const word = initWord(stopped, blocking, recordsOf(spec['initContainers']).length);
    const counted = inits.slice(0, blocking + 1);
    return { ready: readySidecars.length, total, word: deletionWord(pod, word), ...restartsOf(counted) };
  }
  const containers = recordsOf(status['containerStatuses']);
  const word = runningWord(status, containers, firstWord(status));
  const ready = containers.filter(isRunning).length + readySidecars.length;
  const counted = [...inits.filter(({ name }) => sidecars.has(name)), ...containers];
  return { ready, total, word: deletionWord(pod, word), ...restartsOf(counted) };
}

function firstWord(status: JsonRecord): string {
  const gated = recordsOf(status['conditions']).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textOf(status['reason']) || textOf(status['phase']);
}

function initWord(container: JsonRecord, index: number, count: number): string {
  const state = recordOf(container['state']);
  const waiting = textOf(recordOf(state['waiting'])['reason']);
  if (isRecord(state['terminated'])) return `Init:${endWord(state['terminated'])}`;
  return waiting !== '' && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${count}`;
}

function runningWord(status: JsonRecord, containers: readonly JsonRecord[], first: string): string {
  let word = first;
  let failure = '';
  for (const container of containers.toReversed()) {
    const state = recordOf(container['state']);
    const waiting = textOf(recordOf(state['waiting'])['reason']);
    if (waiting !== '') word = waiting;
    else if (isRecord(state['terminated'])) {
      word = endWord(state['terminated']);
      if (numberOf(state['terminated']['exitCode']) !== 0) failure = word;
    }
  }
  if (word !== 'Completed') return word;
  const running = containers.some(isRunning);
  if (running && isTrue(status, 'Ready')) return 'Running';
  return failure || (running ? 'NotReady' : word);
}

function deletionWord(pod: KubeObject, word: string): string {
  if (pod.metadata.deletionTimestamp === undefined) return word;
  const { reason, phase } = recordOf(pod['status']);
  if (reason === 'NodeLost') return 'Unknown';
  return phase === 'Succeeded' || phase === 'Failed' ? word : 'Terminating';
}

function endWord(terminated: JsonRecord): string {
  const signal = numberOf(terminated['signal']);
  const plain = signal === 0 ? `ExitCode:${numberOf(terminated['exitCode'])}` : `Signal:${signal}`;
  return textOf(terminated['reason']) || plain;
}

/** Is initialization past this init container? A sidecar only needs to have started. */
function isPast(container: JsonRecord, sidecars: ReadonlySet<unknown>): boolean {
  return isDone(container) || isStarted(container, sidecars);
}

function isDone(container: JsonRecord): boolean {
  const { terminated } = recordOf(container['state']);
  return isRecord(terminated) && numberOf(terminated['exitCode']) === 0;
}

function isStarted(container: JsonRecord, sidecars: ReadonlySet<unknown>): boolean {
  return !isDone(container) && sidecars.has(container['name']) && container['started'] === true;
}

function isRunning(container: JsonRecord): boolean {
  const state = recordOf(container['state']);
  const busy = textOf(recordOf(state['waiting'])['reason']) !== '' || isRecord(state['terminated']);
  return container['ready'] === true && isRecord(state['running']) && !busy;
}

function restartsOf(containers: readonly JsonRecord[]): { readonly restarts: number; readonly lastRestart: string } {
  const ends = containers.map((container) =>
    textOf(recordOf(recordOf(container['lastState'])['terminated'])['finishedAt']),
  );
  return {
    restarts: containers.reduce((sum, container) => sum + numberOf(container['restartCount']), 0),
    lastRestart: ends.reduce((latest, end) => (end > latest ? end : latest), ''),
  };
}

function gatesCell(spec: JsonRecord, status: JsonRecord): string {
  const gates = recordsOf(spec['readinessGates']);
  if (gates.length === 0) return '<none>';
  return `${gates.filter(({ conditionType }) => isTrue(status, conditionType)).length}/${gates.length}`;
}

function isTrue(status: JsonRecord, type: unknown): boolean {
  return recordsOf(status['conditions']).find((condition) => condition['type'] === type)?.['status'] === 'True';
}
