/** RuntimeClass: pods get the overhead and the nodes of their RuntimeClass. */

import { extended, type JsonRecord, recordOf, recordsOf, sameJson, textEntriesOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, notAdmitted, type ObjectReader } from './admission-plugin.ts';
import { mergedTolerations } from './merged-tolerations.ts';

/** The plugin, with the RuntimeClasses that it reads. It changes new pods only. */
export function podRuntimeClass(classes: ObjectReader): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    types: ['core/v1.Pod'],
    mutate(request) {
      const { object, old } = request;
      const found = old === undefined ? classOf(request, classes) : undefined;
      return found === undefined ? object : withClass(request, found);
    },
    validate(request) {
      if (request.old !== undefined) return;
      const { overhead } = recordOf(request.object['spec']);
      const wanted = overheadOf(classOf(request, classes));
      if (wanted === undefined && overhead !== undefined) {
        throw rejected(request, 'Pod Overhead set without corresponding RuntimeClass defined Overhead');
      }
    },
  };
}

function classOf(request: AdmissionRequest, classes: ObjectReader): KubeObject | undefined {
  const name = textOf(recordOf(request.object['spec'])['runtimeClassName']);
  if (name === '') return undefined;
  const found = classes.get('', name);
  if (found === undefined) throw rejected(request, `RuntimeClass "${name}" not found`);
  return found;
}

function overheadOf(found: KubeObject | undefined): unknown {
  return found?.['overhead'] === undefined ? undefined : (recordOf(found['overhead'])['podFixed'] ?? {});
}

function withClass(request: AdmissionRequest, found: KubeObject): KubeObject {
  const spec = recordOf(request.object['spec']);
  const overhead = overheadOf(found);
  if (overhead !== undefined && spec['overhead'] !== undefined && !sameJson(overhead, spec['overhead'])) {
    throw rejected(request, "Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  const members = {
    ...(overhead === undefined ? {} : { overhead }),
    ...(found['scheduling'] === undefined ? {} : placement(request, spec, recordOf(found['scheduling']))),
  };
  return extended(request.object, { spec: extended(spec, members) });
}

/**
 * Merges node selector and tolerations of the pod and the class. Throws the 403 when both select one label with
 * different values.
 */
function placement(request: AdmissionRequest, spec: JsonRecord, scheduling: JsonRecord): JsonRecord {
  const own = recordOf(spec['nodeSelector']);
  const wanted = textEntriesOf(scheduling['nodeSelector']);
  for (const [label, value] of wanted) {
    if (!Object.hasOwn(own, label) || own[label] === value) continue;
    const conflict = `runtimeClass.scheduling.nodeSelector[${label}] = ${value}; pod.spec.nodeSelector[${label}] = ${textOf(own[label])}`;
    throw notAdmitted(request, `conflict: ${conflict}`);
  }
  const tolerations = mergedTolerations(recordsOf(spec['tolerations']), recordsOf(scheduling['tolerations']));
  return {
    ...(wanted.length === 0 ? {} : { nodeSelector: { ...own, ...Object.fromEntries(wanted) } }),
    tolerations,
  };
}

function rejected(request: AdmissionRequest, why: string): Error {
  return notAdmitted(request, `pod rejected: ${why}`);
}
