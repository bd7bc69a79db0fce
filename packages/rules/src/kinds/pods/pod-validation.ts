/** Validates a pod spec, in a pod or in a template. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkQualifiedName,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldTooLong,
  validateAnnotations,
  validateLabels,
} from '@listwatch/api';
import {
  isJsonNumber,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf,
  textRecordOf,
} from '@listwatch/api/values';
import { itemErrors } from '../../validation/item-errors.ts';
import { named, oneOf, rangeText } from '../../validation/value-rules.ts';
import { validateFileVolumes } from '../containers/container-env-rules.ts';
import { type Surroundings, validateContainers, validateInitContainers } from '../containers/container-validation.ts';
import { validateDebugContainers } from '../containers/debug-container-rules.ts';
import { validateAffinity, validateSpread } from './pod-affinity-rules.ts';
import { validatePodAmounts } from './pod-amounts.ts';
import { claimNames, validatePodClaims } from './pod-claim-rules.ts';
import { validateDns, validateHostAliases, validateHostNetwork } from './pod-network-rules.ts';
import { validateVolumes } from './pod-volume-rules.ts';
import { validateResourceRequirements } from './resource-requirements.ts';
import { validateHostUsers, validatePodSecurityContext } from './security-context-rules.ts';
import { validateTolerations } from './toleration-rules.ts';
import { validateHostProcess, validateSystem } from './windows-security-rules.ts';

type Errors = readonly FieldError[];

const INT32_MAX = 2 ** 31 - 1;

/** The rules for the spec of a pod at `field`. `podName` is the name of the pod, which templates do not know. */
export function validatePodSpec(spec: JsonRecord, field: string, podName = ''): Errors {
  const { errors, surroundings } = validateSurroundings(spec, podName, field);
  return [
    ...errors,
    ...validateContainers(spec['containers'], surroundings, `${field}.containers`),
    ...validateRest(spec, surroundings, field),
  ];
}

/** The volumes, claims and other parts of the spec that the containers refer to, with the errors in them. */
function validateSurroundings(
  spec: JsonRecord,
  podName: string,
  field: string,
): { readonly errors: Errors; readonly surroundings: Surroundings } {
  const { errors, names: volumes, claimed } = validateVolumes(spec['volumes'], podName, `${field}.volumes`);
  const surroundings = {
    volumes,
    claimed,
    claims: claimNames(spec),
    hostUsers: spec['hostUsers'] !== false,
    restartPolicy: textOf(spec['restartPolicy']),
    gracePeriod: numberOf(spec['terminationGracePeriodSeconds']),
  };
  return {
    errors: [...errors, ...validatePodClaims(spec['resourceClaims'], `${field}.resourceClaims`)],
    surroundings,
  };
}

/** The rules for all fields except volumes, claims and plain containers. */
function validateRest(spec: JsonRecord, surroundings: Surroundings, field: string): Errors {
  const names = recordsOf(spec['containers']).map(({ name }) => textOf(name));
  const deadline = spec['activeDeadlineSeconds'];
  return [
    ...validateInitContainers(spec['initContainers'], surroundings, names, `${field}.initContainers`),
    ...validateDebugContainers(spec, surroundings, `${field}.ephemeralContainers`),
    ...validatePodAmounts(spec, surroundings.claims, field),
    ...validateHostNetwork(spec, field),
    ...oneOf(spec['restartPolicy'], ['Always', 'OnFailure', 'Never'], `${field}.restartPolicy`),
    ...oneOf(spec['dnsPolicy'], ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], `${field}.dnsPolicy`),
    ...validateLabels(textRecordOf(spec['nodeSelector']), `${field}.nodeSelector`),
    ...validatePodSecurityContext(spec, field),
    ...(spec['affinity'] === undefined ? [] : validateAffinity(recordOf(spec['affinity']), `${field}.affinity`)),
    ...validateDns(spec, `${field}.dnsConfig`),
    ...validateReadinessGates(spec['readinessGates'], `${field}.readinessGates`),
    ...validateSchedulingGates(spec['schedulingGates'], `${field}.schedulingGates`),
    ...validateSpread(spec['topologySpreadConstraints'], `${field}.topologySpreadConstraints`),
    ...validateHostProcess(spec, field),
    ...validateHostUsers(spec, field),
    ...named(spec['serviceAccountName'], checkDnsSubdomain, `${field}.serviceAccountName`),
    ...named(spec['nodeName'], checkDnsSubdomain, `${field}.nodeName`),
    ...(isJsonNumber(deadline) && (deadline < 1 || deadline > INT32_MAX)
      ? [fieldInvalid(`${field}.activeDeadlineSeconds`, deadline, rangeText(1, INT32_MAX))]
      : []),
    ...named(spec['hostname'], checkDnsLabel, `${field}.hostname`),
    ...named(spec['subdomain'], checkDnsLabel, `${field}.subdomain`),
    ...validateTolerations(spec['tolerations'], `${field}.tolerations`),
    ...validateHostAliases(spec['hostAliases'], `${field}.hostAliases`),
    ...named(spec['priorityClassName'], checkDnsSubdomain, `${field}.priorityClassName`),
    ...(spec['preemptionPolicy'] === undefined
      ? []
      : oneOf(spec['preemptionPolicy'], ['PreemptLowerPriority', 'Never'], `${field}.preemptionPolicy`)),
    ...(spec['runtimeClassName'] === undefined
      ? []
      : invalid(textOf(spec['runtimeClassName']), `${field}.runtimeClassName`)),
    ...(spec['overhead'] === undefined
      ? []
      : validateResourceRequirements({ limits: spec['overhead'] }, `${field}.overhead`)),
    ...validateHostnameOverride(spec, field),
    ...validateSystem(spec, field),
    ...validateFileVolumes(spec, field),
  ];
}

const HOSTNAME_MAX = 64;

function validateHostnameOverride(
  { hostnameOverride, hostNetwork, setHostnameAsFQDN }: JsonRecord,
  field: string,
): Errors {
  if (hostnameOverride === undefined) return [];
  const place = `${field}.hostnameOverride`;
  const name = textOf(hostnameOverride);
  return [
    ...invalid(name, place),
    ...(name.length > HOSTNAME_MAX ? [fieldTooLong(place, HOSTNAME_MAX)] : []),
    ...(hostNetwork === true ? [fieldForbidden(place, 'may not be specified when hostNetwork is true')] : []),
    ...(setHostnameAsFQDN === true
      ? [fieldForbidden(place, 'may not be specified when setHostnameAsFQDN is true')]
      : []),
  ];
}

function invalid(name: string, field: string): Errors {
  return checkDnsSubdomain(name).map((complaint) => fieldInvalid(field, name, complaint));
}

/** The rules for a template of pods at `field`. */
export function validatePodTemplate(template: JsonRecord, field: string): Errors {
  const metadata = recordOf(template['metadata']);
  const spec = recordOf(template['spec']);
  return [
    ...validateLabels(textRecordOf(metadata['labels']), `${field}.labels`),
    ...validateAnnotations(textRecordOf(metadata['annotations']), `${field}.annotations`),
    ...validatePodSpec(spec, `${field}.spec`),
    ...(listOf(spec['ephemeralContainers']).length > 0
      ? [fieldForbidden(`${field}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}

function validateReadinessGates(value: unknown, field: string): Errors {
  return itemErrors(recordsOf(value), ({ conditionType }, index) => {
    const type = textOf(conditionType);
    return checkQualifiedName(type).map((complaint) =>
      fieldInvalid(`${field}[${index}].conditionType`, type, complaint),
    );
  });
}

function validateSchedulingGates(value: unknown, field: string): Errors {
  const seen = new Set<string>();
  return itemErrors(recordsOf(value), (gate, index) => {
    const name = textOf(gate['name']);
    const twice = seen.has(name);
    seen.add(name);
    return [
      ...checkQualifiedName(name).map((complaint) => fieldInvalid(`${field}[${index}]`, name, complaint)),
      ...(twice ? [fieldDuplicate(`${field}[${index}]`, name)] : []),
    ];
  });
}
