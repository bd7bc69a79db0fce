/** The table of HorizontalPodAutoscalers: the first two metrics, with current and target values. */

import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { column, namedTable } from '../../columns/table-column.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { TableColumns } from '../../strategy/kind-definition.ts';

/** The columns; `asV2` gives the object in the words of autoscaling/v2. */
export function autoscalerTable(asV2: (object: KubeObject) => KubeObject): TableColumns {
  return namedTable(
    [
      column('Reference', 'What is scaled.'),
      column('Targets', 'The metrics: their value and their target.'),
      column('MinPods', 'The lower limit for the number of pods.'),
      column('MaxPods', 'The upper limit for the number of pods.'),
      column('Replicas', 'How many pods there are.'),
    ],
    (object) => cells(asV2(object)),
  );
}

function cells(object: KubeObject): readonly unknown[] {
  const spec = recordOf(object['spec']);
  const status = recordOf(object['status']);
  const { kind, name } = recordOf(spec['scaleTargetRef']);
  const { minReplicas } = spec;
  return [
    `${textOf(kind)}/${textOf(name)}`,
    metricsCell(recordsOf(spec['metrics']), recordsOf(status['currentMetrics'])),
    minReplicas === undefined ? '<unset>' : String(numberOf(minReplicas)),
    numberOf(spec['maxReplicas']),
    numberOf(status['currentReplicas']),
  ];
}

const SHOWN = 2;

function metricsCell(metrics: readonly JsonRecord[], current: readonly JsonRecord[]): string {
  if (metrics.length === 0) return '<none>';
  const first = metrics.slice(0, SHOWN).map((metric, index) => metricCell(metric, recordOf(current[index])));
  const more = metrics.length - SHOWN;
  return `${first.join(', ')}${more > 0 ? ` + ${more} more...` : ''}`;
}

const MEMBERS: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

function metricCell(metric: JsonRecord, status: JsonRecord): string {
  const member = MEMBERS[textOf(metric['type'])];
  if (member === undefined) return '<unknown type>';
  const source = recordOf(metric[member]);
  const target = recordOf(source['target']);
  const current = recordOf(recordOf(status[member])['current']);
  if (member === 'resource' || member === 'containerResource') return resourceCell(source, target, current);
  if (target['averageValue'] === undefined) return `${shown(current['value'])}/${shown(target['value'])}`;
  const average = `${shown(current['averageValue'])}/${shown(target['averageValue'])}`;
  return member === 'pods' ? average : `${average} (avg)`;
}

function resourceCell({ name }: JsonRecord, target: JsonRecord, current: JsonRecord): string {
  if (target['averageValue'] !== undefined) {
    return `${textOf(name)}: ${shown(current['averageValue'])}/${shown(target['averageValue'])}`;
  }
  return `${textOf(name)}: ${percent(current, '<unknown>')}/${percent(target, '<auto>')}`;
}

function percent({ averageUtilization: use }: JsonRecord, absent: string): string {
  return use === undefined ? absent : `${numberOf(use)}%`;
}

function shown(amount: unknown): string {
  return textOf(amount) || '<unknown>';
}
