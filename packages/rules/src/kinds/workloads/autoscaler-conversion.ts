/**
 * Converts HorizontalPodAutoscalers between autoscaling/v1 and autoscaling/v2. v1 has a field for CPU utilization only.
 * Annotations keep all other fields, so that a v1 client loses nothing when it writes an object back.
 */

import { defined, isRecord, type JsonRecord, recordOf, recordsOf, sameJson } from '@listwatch/api/values';
import type { KubeMetadata, KubeObject } from '../../kube-object.ts';
import { currentToV1, currentToV2, metricToV1, metricToV2 } from './autoscaler-metrics.ts';

const V1 = 'autoscaling/v1';
const V2 = 'autoscaling/v2';
const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const KEPT: readonly string[] = [
  METRICS,
  BEHAVIOR,
  CURRENT_METRICS,
  CONDITIONS,
  `${PREFIX}scale-up-tolerance`,
  `${PREFIX}scale-down-tolerance`,
];

/** The metric of an autoscaler without metrics. */
export const DEFAULT_METRIC: JsonRecord = cpuMetric(80);

function cpuMetric(averageUtilization: unknown): JsonRecord {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

/** The metadata without the annotations of the conversion. */
export function withoutKept(metadata: KubeMetadata): KubeMetadata {
  const { annotations, ...rest } = metadata;
  if (annotations === undefined || !KEPT.some((name) => Object.hasOwn(annotations, name))) return metadata;
  const others = Object.entries(annotations).filter(([name]) => !KEPT.includes(name));
  return others.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(others) };
}

/** Converts an autoscaler to autoscaling/v1. */
export function toAutoscalerV1(object: KubeObject): KubeObject {
  if (object.apiVersion === V1) return object;
  const { scaleTargetRef, minReplicas, maxReplicas, metrics, behavior } = recordOf(object['spec']);
  const { currentMetrics, conditions, ...status } = recordOf(object['status']);
  const others = recordsOf(metrics).filter((metric) => cpuUseOf(metric, 'target') === undefined);
  const cpu = recordsOf(metrics).find((metric) => cpuUseOf(metric, 'target') !== undefined);
  const uses = recordsOf(currentMetrics).map((metric) => cpuUseOf(metric, 'current'));
  const annotations = {
    ...list(METRICS, others.map(metricToV1)),
    ...list(CURRENT_METRICS, recordsOf(currentMetrics).map(currentToV1)),
    ...(behavior === undefined ? {} : { [BEHAVIOR]: goJson(behaviorToGo(recordOf(behavior))) }),
    ...list(CONDITIONS, recordsOf(conditions).map(conditionToV1)),
  };
  return {
    ...object,
    apiVersion: V1,
    metadata: withAnnotations(withoutKept(object.metadata), annotations),
    spec: defined({
      scaleTargetRef,
      minReplicas,
      maxReplicas,
      targetCPUUtilizationPercentage: cpu && cpuUseOf(cpu, 'target'),
    }),
    status: defined({ ...status, currentCPUUtilizationPercentage: uses.findLast((use) => use !== undefined) }),
  };
}

/** Converts an autoscaler to autoscaling/v2. */
export function toAutoscalerV2(object: KubeObject): KubeObject {
  if (object.apiVersion === V2) return object;
  const { annotations = {} } = object.metadata;
  const { scaleTargetRef, minReplicas, maxReplicas, targetCPUUtilizationPercentage: cpu } = recordOf(object['spec']);
  const { currentCPUUtilizationPercentage: use, ...status } = recordOf(object['status']);
  const current = readList(annotations[CURRENT_METRICS]);
  const own = cpu === undefined ? [] : [cpuMetric(cpu)];
  const metrics = [...(readList(annotations[METRICS]) ?? []).map(metricToV2), ...own];
  const behavior = behaviorFromGo(read(annotations[BEHAVIOR]));
  const used = use === undefined ? undefined : [cpuCurrent(use)];
  return {
    ...object,
    apiVersion: V2,
    metadata: withoutKept(object.metadata),
    spec: defined({
      scaleTargetRef,
      minReplicas,
      maxReplicas,
      metrics: metrics.length === 0 ? [DEFAULT_METRIC] : metrics,
      behavior,
    }),
    status: defined({
      ...status,
      currentMetrics: current?.map(currentToV2) ?? used,
      conditions: readList(annotations[CONDITIONS]),
    }),
  };
}

function cpuCurrent(averageUtilization: unknown): JsonRecord {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

/** The CPU utilization of a metric in percent; undefined for other metrics. */
function cpuUseOf({ type, resource }: JsonRecord, part: 'current' | 'target'): unknown {
  const { name, [part]: value } = recordOf(resource);
  return type === 'Resource' && name === 'cpu' ? recordOf(value)['averageUtilization'] : undefined;
}

function withAnnotations(metadata: KubeMetadata, added: Readonly<Record<string, string>>): KubeMetadata {
  return Object.keys(added).length === 0
    ? metadata
    : { ...metadata, annotations: { ...metadata.annotations, ...added } };
}

function list(name: string, items: readonly JsonRecord[]): Readonly<Record<string, string>> {
  return items.length === 0 ? {} : { [name]: goJson(items) };
}

function conditionToV1({ type, status, lastTransitionTime, reason, message }: JsonRecord): JsonRecord {
  return defined({ type, status, lastTransitionTime: lastTransitionTime ?? null, reason, message });
}

const ESCAPED: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** JSON as Go writes it, with HTML characters escaped. */
function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&]/g, (character) => ESCAPED[character] ?? character);
}

/** The behavior with Go field names, as Kubernetes writes it into the annotation. */
function behaviorToGo({ scaleUp, scaleDown }: JsonRecord): JsonRecord {
  return { ScaleUp: rulesToGo(scaleUp), ScaleDown: rulesToGo(scaleDown) };
}

function rulesToGo(rules: unknown): JsonRecord | null {
  if (rules === undefined) return null;
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = recordOf(rules);
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies: policies === undefined ? null : recordsOf(policies).map(policyToGo),
    Tolerance: tolerance ?? null,
  };
}

function policyToGo({ type, value, periodSeconds }: JsonRecord): JsonRecord {
  return { Type: type, Value: value, PeriodSeconds: periodSeconds };
}

function behaviorFromGo(value: unknown): JsonRecord | undefined {
  const { ScaleUp, ScaleDown } = recordOf(value);
  const behavior = defined({ scaleUp: rulesFromGo(ScaleUp), scaleDown: rulesFromGo(ScaleDown) });
  return sameJson(behavior, {}) ? undefined : behavior;
}

function rulesFromGo(rules: unknown): JsonRecord | undefined {
  if (!isRecord(rules)) return undefined;
  const { StabilizationWindowSeconds, SelectPolicy, Policies, Tolerance } = rules;
  return defined({
    stabilizationWindowSeconds: StabilizationWindowSeconds ?? undefined,
    selectPolicy: SelectPolicy ?? undefined,
    policies: Policies === undefined || Policies === null ? undefined : recordsOf(Policies).map(policyFromGo),
    tolerance: Tolerance ?? undefined,
  });
}

function policyFromGo({ Type, Value, PeriodSeconds }: JsonRecord): JsonRecord {
  return { type: Type, value: Value, periodSeconds: PeriodSeconds };
}

function readList(text: string | undefined): readonly JsonRecord[] | undefined {
  const value = read(text);
  return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}

/** The decoded value of an annotation. Annotations that cannot be decoded are ignored. */
function read(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Anybody may write annotations.
    return undefined;
  }
}
