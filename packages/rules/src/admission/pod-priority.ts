/** Priority: pods get the number of their PriorityClass. */

import { extended, isJsonNumber, type JsonRecord, numberOf, recordOf, textOf } from '@listwatch/api/values';
import type { KubeObject } from '../kube-object.ts';
import { type AdmissionPlugin, type AdmissionRequest, notAdmitted, type ObjectReader } from './admission-plugin.ts';

/** The plugin, with the PriorityClasses that it reads. */
export function podPriority(classes: ObjectReader): AdmissionPlugin {
  const defaultClass = defaultClassOf(classes);
  return {
    name: 'Priority',
    types: ['core/v1.Pod', 'scheduling/v1.PriorityClass'],
    mutate(request) {
      const { resource, object, old } = request;
      if (resource.plural !== 'pods') return object;
      if (old !== undefined) return withOldPriority(object, recordOf(old['spec']));
      return withPriority(request, classOf(request, classes, defaultClass()));
    },
    validate(request) {
      const { resource, object, old } = request;
      if (resource.plural === 'pods' || object['globalDefault'] !== true) return;
      const name = defaultClass()?.metadata.name;
      if (name === undefined || (old !== undefined && name === object.metadata.name)) return;
      throw notAdmitted(request, `PriorityClass ${name} is already marked as default. Only one default can exist`);
    },
  };
}

/**
 * The PriorityClass for pods that name none. Two servers may each accept a default class at the same time, as
 * kube-apiservers do. The lowest value wins, then the first name, so that all servers choose the same class. Caches the
 * result until a class changes.
 */
function defaultClassOf(classes: ObjectReader): () => KubeObject | undefined {
  let seen: readonly KubeObject[] | undefined;
  let found: KubeObject | undefined;
  return () => {
    const all = classes.list('');
    if (all === seen) return found;
    seen = all;
    found = undefined;
    for (const one of all) {
      if (one['globalDefault'] !== true) continue;
      if (found === undefined || comesBefore(one, found)) found = one;
    }
    return found;
  };
}

function comesBefore(one: KubeObject, other: KubeObject): boolean {
  const difference = numberOf(one['value']) - numberOf(other['value']);
  return difference < 0 || (difference === 0 && (one.metadata.name ?? '') < (other.metadata.name ?? ''));
}

/** The class that the pod names, or the default class. Throws the 403 when there is no class of this name. */
function classOf(
  request: AdmissionRequest,
  classes: ObjectReader,
  byDefault: KubeObject | undefined,
): KubeObject | undefined {
  const name = textOf(recordOf(request.object['spec'])['priorityClassName']);
  if (name === '') return byDefault;
  const found = classes.get('', name);
  if (found === undefined) throw notAdmitted(request, `no PriorityClass with name ${name} was found`);
  return found;
}

function withPriority(request: AdmissionRequest, found: KubeObject | undefined): KubeObject {
  const spec = recordOf(request.object['spec']);
  const priority = numberOf(found?.['value']);
  const policy = found === undefined ? 'PreemptLowerPriority' : textOf(found['preemptionPolicy']);
  const { priority: sent, preemptionPolicy: sentPolicy } = spec;
  if (isJsonNumber(sent) && numberOf(sent) !== priority) {
    throw computed(request, `the integer value of priority (${sent})`, String(priority));
  }
  if (policy !== '' && sentPolicy !== undefined && sentPolicy !== policy) {
    throw computed(request, `the string value of PreemptionPolicy (${textOf(sentPolicy)})`, policy);
  }
  const members: JsonRecord = {
    ...(found === undefined ? {} : { priorityClassName: found.metadata.name }),
    priority,
    ...(policy === '' ? {} : { preemptionPolicy: policy }),
  };
  return extended(request.object, { spec: extended(spec, members) });
}

function computed(request: AdmissionRequest, sent: string, result: string): Error {
  const why = `priority admission controller computed ${result} from the given PriorityClass name`;
  return notAdmitted(request, `${sent} must not be provided in pod spec; ${why}`);
}

/** An update without a priority or preemption policy keeps the old one. */
function withOldPriority(object: KubeObject, old: JsonRecord): KubeObject {
  const spec = recordOf(object['spec']);
  const missing = (['priority', 'preemptionPolicy'] as const).filter(
    (name) => spec[name] === undefined && old[name] !== undefined,
  );
  if (missing.length === 0) return object;
  const kept = Object.fromEntries(missing.map((name) => [name, old[name]]));
  return extended(object, { spec: extended(spec, kept) });
}
