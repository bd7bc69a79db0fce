/** Converts metrics of a HorizontalPodAutoscaler between autoscaling/v1 and autoscaling/v2. */

import { defined, type JsonRecord, quantitySign, recordOf, textOf } from '@listwatch/api/values';

type Change = (metric: JsonRecord) => JsonRecord;

/** The members of a metric. `type` names the member that must be set. */
const SOURCES = ['object', 'pods', 'resource', 'containerResource', 'external'] as const;

type Source = (typeof SOURCES)[number];

/** Converts the source of a metric. Keeps the member order of the Go struct, because the result is stored as text. */
function changed(metric: JsonRecord, changes: Readonly<Record<Source, Change>>): JsonRecord {
  const sources = SOURCES.filter((name) => metric[name] !== undefined);
  return defined({
    type: metric['type'],
    ...Object.fromEntries(sources.map((name) => [name, defined(changes[name](recordOf(metric[name])))])),
  });
}

const identifierOf = (name: unknown, selector: unknown): JsonRecord => defined({ name, selector });

function referenceOf({ kind, name, apiVersion }: JsonRecord): JsonRecord {
  return defined({ kind, name, apiVersion: apiVersion === '' ? undefined : apiVersion });
}

/** Converts a metric of a v2 spec to v1. */
export function metricToV1(metric: JsonRecord): JsonRecord {
  return changed(metric, {
    object: ({ describedObject, metric: of, target }) => ({
      target: referenceOf(recordOf(describedObject)),
      metricName: recordOf(of)['name'],
      targetValue: recordOf(target)['value'] ?? '0',
      selector: recordOf(of)['selector'],
      averageValue: recordOf(target)['averageValue'],
    }),
    pods: ({ metric: of, target }) => ({
      metricName: recordOf(of)['name'],
      targetAverageValue: recordOf(target)['averageValue'] ?? '0',
      selector: recordOf(of)['selector'],
    }),
    resource: resourceToV1,
    containerResource: (source) => ({ ...resourceToV1(source), container: source['container'] }),
    external: ({ metric: of, target }) => ({
      metricName: recordOf(of)['name'],
      metricSelector: recordOf(of)['selector'],
      targetValue: recordOf(target)['value'],
      targetAverageValue: recordOf(target)['averageValue'],
    }),
  });
}

function resourceToV1({ name, target }: JsonRecord): JsonRecord {
  const { averageUtilization, averageValue } = recordOf(target);
  return { name, targetAverageUtilization: averageUtilization, targetAverageValue: averageValue };
}

/** Converts a metric of a v1 annotation to v2. */
export function metricToV2(metric: JsonRecord): JsonRecord {
  return changed(metric, {
    object: ({ target, metricName, targetValue, selector, averageValue }) => {
      // The value is required in v1, so 0 stands for no value.
      const value = averageValue === undefined || quantitySign(targetValue) !== 0 ? targetValue : undefined;
      const type = averageValue === undefined ? 'Value' : 'AverageValue';
      return {
        describedObject: referenceOf(recordOf(target)),
        target: defined({ type, value, averageValue }),
        metric: identifierOf(metricName, selector),
      };
    },
    pods: ({ metricName, targetAverageValue, selector }) => ({
      metric: identifierOf(metricName, selector),
      target: { type: 'AverageValue', averageValue: targetAverageValue },
    }),
    resource: resourceToV2,
    containerResource: (source) => ({ ...resourceToV2(source), container: source['container'] }),
    external: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
      metric: identifierOf(metricName, metricSelector),
      target: defined({
        type: targetValue === undefined ? 'AverageValue' : 'Value',
        value: targetValue,
        averageValue: targetAverageValue,
      }),
    }),
  });
}

function resourceToV2(source: JsonRecord): JsonRecord {
  const { name, targetAverageUtilization, targetAverageValue } = source;
  const type = targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization';
  const target = { type, averageValue: targetAverageValue, averageUtilization: targetAverageUtilization };
  return { name, target: defined(target) };
}

/** Converts a metric of a v2 status to v1. */
export function currentToV1(metric: JsonRecord): JsonRecord {
  return changed(metric, {
    object: ({ describedObject, metric: of, current }) => ({
      target: referenceOf(recordOf(describedObject)),
      metricName: recordOf(of)['name'],
      currentValue: recordOf(current)['value'] ?? '0',
      selector: recordOf(of)['selector'],
      averageValue: recordOf(current)['averageValue'],
    }),
    pods: ({ metric: of, current }) => ({
      metricName: recordOf(of)['name'],
      currentAverageValue: recordOf(current)['averageValue'] ?? '0',
      selector: recordOf(of)['selector'],
    }),
    resource: currentResourceToV1,
    containerResource: (source) => ({ ...currentResourceToV1(source), container: source['container'] }),
    external: ({ metric: of, current }) => ({
      metricName: recordOf(of)['name'],
      metricSelector: recordOf(of)['selector'],
      currentValue: recordOf(current)['value'] ?? '0',
      currentAverageValue: recordOf(current)['averageValue'],
    }),
  });
}

function currentResourceToV1({ name, current }: JsonRecord): JsonRecord {
  const { averageUtilization, averageValue } = recordOf(current);
  return { name, currentAverageUtilization: averageUtilization, currentAverageValue: averageValue ?? '0' };
}

/** Converts a status metric of a v1 annotation to v2. A value of 0 next to an average stands for no value. */
export function currentToV2(metric: JsonRecord): JsonRecord {
  return changed(metric, {
    object: ({ target, metricName, currentValue, selector, averageValue }) => ({
      metric: identifierOf(metricName, selector),
      current: valuesOf(currentValue, averageValue),
      describedObject: referenceOf(recordOf(target)),
    }),
    pods: ({ metricName, currentAverageValue, selector }) => ({
      metric: identifierOf(metricName, selector),
      current: { averageValue: currentAverageValue },
    }),
    resource: currentResourceToV2,
    containerResource: (source) => ({ ...currentResourceToV2(source), container: source['container'] }),
    external: ({ metricName, metricSelector, currentValue, currentAverageValue }) => ({
      metric: identifierOf(metricName, metricSelector),
      current: valuesOf(currentValue, currentAverageValue),
    }),
  });
}

function currentResourceToV2({ name, currentAverageValue, currentAverageUtilization }: JsonRecord): JsonRecord {
  const current = { averageValue: currentAverageValue, averageUtilization: currentAverageUtilization };
  return { name, current: defined(current) };
}

function valuesOf(value: unknown, averageValue: unknown): JsonRecord {
  return defined({ value: averageValue !== undefined && textOf(value) === '0' ? undefined : value, averageValue });
}
