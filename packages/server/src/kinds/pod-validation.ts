/** What a pod spec must say, alone or in a template. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  validateAnnotations,
  validateLabels,
} from '@listwatch/api';
import { validateContainers, validateInitContainers } from './container-validation.ts';
import { itemErrors } from './item-errors.ts';
import {
  isJsonNumber,
  type JsonRecord,
  listOf,
  recordOf,
  recordsOf,
  textEntriesOf,
  textOf,
} from './shapes/json-value.ts';
import { validateTolerations } from './toleration-rules.ts';
import { named, oneOf, rangeText, requiredLabel } from './value-rules.ts';

type Errors = readonly FieldError[];

const INT32_MAX = 2 ** 31 - 1;

/** The rules for the spec of a pod at `field`. */
export function validatePodSpec(spec: JsonRecord, field: string): Errors {
  const volumes = new Set(recordsOf(spec['volumes']).map(({ name }) => textOf(name)));
  const names = recordsOf(spec['containers']).map(({ name }) => textOf(name));
  const deadline = spec['activeDeadlineSeconds'];
  return [
    ...validateVolumes(spec['volumes'], `${field}.volumes`),
    ...validateContainers(spec['containers'], volumes, `${field}.containers`),
    ...validateInitContainers(spec['initContainers'], volumes, names, `${field}.initContainers`),
    ...oneOf(spec['restartPolicy'], ['Always', 'OnFailure', 'Never'], `${field}.restartPolicy`),
    ...oneOf(spec['dnsPolicy'], ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], `${field}.dnsPolicy`),
    ...validateLabels(Object.fromEntries(textEntriesOf(spec['nodeSelector'])), `${field}.nodeSelector`),
    ...named(spec['serviceAccountName'], checkDnsSubdomain, `${field}.serviceAccountName`),
    ...named(spec['nodeName'], checkDnsSubdomain, `${field}.nodeName`),
    ...(isJsonNumber(deadline) && (deadline < 1 || deadline > INT32_MAX)
      ? [fieldInvalid(`${field}.activeDeadlineSeconds`, deadline, rangeText(1, INT32_MAX))]
      : []),
    ...named(spec['hostname'], checkDnsLabel, `${field}.hostname`),
    ...named(spec['subdomain'], checkDnsLabel, `${field}.subdomain`),
    ...validateTolerations(spec['tolerations'], `${field}.tolerations`),
    ...named(spec['priorityClassName'], checkDnsSubdomain, `${field}.priorityClassName`),
  ];
}

/** The rules for a template of pods at `field`. */
export function validatePodTemplate(template: JsonRecord, field: string): Errors {
  const metadata = recordOf(template['metadata']);
  const spec = recordOf(template['spec']);
  return [
    ...validateLabels(Object.fromEntries(textEntriesOf(metadata['labels'])), `${field}.labels`),
    ...validateAnnotations(Object.fromEntries(textEntriesOf(metadata['annotations'])), `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`),
    ...(listOf(spec['ephemeralContainers']).length > 0
      ? [fieldForbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

function validateVolumes(value: unknown, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (volume, index) => {
    const { name, ...sources } = volume;
    const place = `${field}[${index}]`;
    const text = textOf(name);
    const twice = seen.has(text) ? [fieldDuplicate(`${place}.name`, text)] : [];
    seen.add(text);
    // A folder of the pod's own is always the type that counts; the others are too many.
    const types = Object.keys(sources).toSorted(
      (left, right) => Number(right === 'emptyDir') - Number(left === 'emptyDir'),
    );
    const several = types
      .slice(1)
      .map((type) => fieldForbidden(`${place}.${type}`, 'may not specify more than 1 volume type'));
    return [...several, ...requiredLabel(text, `${place}.name`), ...twice];
  });
}
