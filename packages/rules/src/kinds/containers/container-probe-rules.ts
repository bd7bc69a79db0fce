/** The rules for probes and lifecycle hooks of containers. */

import { type FieldError, fieldForbidden, fieldInvalid, fieldNotSupported, fieldRequired } from '@listwatch/api';
import { isJsonNumber, type JsonRecord, listOf, numberOf, recordOf, recordsOf, textOf } from '@listwatch/api/values';
import { notNegative } from '../../validation/count-rules.ts';
import { checkPortName, validatePortNumber } from '../../validation/value-rules.ts';

type Errors = readonly FieldError[];

const HANDLERS: Readonly<Record<string, (action: JsonRecord, field: string, gracePeriod: number) => Errors>> = {
  exec: ({ command }, field) => (listOf(command).length === 0 ? [fieldRequired(`${field}.command`)] : []),
  httpGet: ({ port, scheme, httpHeaders }, field) => [
    ...validatePort(port, `${field}.port`),
    ...(SCHEMES.includes(textOf(scheme)) ? [] : [fieldNotSupported(`${field}.scheme`, scheme, SCHEMES)]),
    ...recordsOf(httpHeaders)
      .map(({ name }) => textOf(name))
      .filter((name) => !/^[-A-Za-z0-9]+$/.test(name))
      .map((name) => fieldInvalid(`${field}.httpHeaders`, name, HEADER_RULE)),
  ],
  tcpSocket: ({ port }, field) => validatePort(port, `${field}.port`),
  grpc: ({ port }, field) => validatePort(port, `${field}.port`),
  sleep: (action, field, gracePeriod) => {
    const seconds = numberOf(action['seconds']);
    if (seconds >= 0 && seconds <= gracePeriod) return [];
    const why = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
    return [fieldInvalid(field, seconds, why)];
  },
};

const HANDLER_NAMES = Object.keys(HANDLERS);

const HEADER_RULE =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

const SCHEMES = ['HTTP', 'HTTPS'];

function validatePort(port: unknown, field: string): Errors {
  if (isJsonNumber(port)) return validatePortNumber(Number(port), field);
  const name = textOf(port);
  return checkPortName(name).map((complaint) => fieldInvalid(field, name, complaint));
}

/** Requires exactly one handler. Checks the first; each further handler is an error. */
function validateHandler(owner: JsonRecord, field: string, gracePeriod = 0): Errors {
  const [first, ...others] = HANDLER_NAMES.filter((name) => owner[name] !== undefined);
  if (first === undefined) return [fieldRequired(field, 'must specify a handler type')];
  return [
    ...(HANDLERS[first]?.(recordOf(owner[first]), `${field}.${first}`, gracePeriod) ?? []),
    ...others.map((name) => fieldForbidden(`${field}.${name}`, 'may not specify more than 1 handler type')),
  ];
}

const COUNTS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** The rules for the probes and the lifecycle of a container at `field`. */
export function validateProbes(container: JsonRecord, gracePeriod: number, field: string): Errors {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...(lifecycle === undefined ? [] : validateLifecycle(recordOf(lifecycle), gracePeriod, `${field}.lifecycle`)),
    ...(livenessProbe === undefined ? [] : validateOnce(recordOf(livenessProbe), `${field}.livenessProbe`)),
    ...(readinessProbe === undefined ? [] : validateReadiness(recordOf(readinessProbe), `${field}.readinessProbe`)),
    ...(startupProbe === undefined ? [] : validateOnce(recordOf(startupProbe), `${field}.startupProbe`)),
  ];
}

function validateLifecycle(lifecycle: JsonRecord, gracePeriod: number, field: string): Errors {
  return ['postStart', 'preStop']
    .filter((name) => lifecycle[name] !== undefined)
    .flatMap((name) => validateHandler(recordOf(lifecycle[name]), `${field}.${name}`, gracePeriod));
}

function validateProbe(probe: JsonRecord, field: string): Errors {
  const { terminationGracePeriodSeconds: grace } = probe;
  return [
    ...validateHandler(probe, field),
    ...notNegative(probe, COUNTS, field),
    ...(isJsonNumber(grace) && grace <= 0
      ? [fieldInvalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ];
}

/** The success threshold of a liveness or startup probe must be 1. */
function validateOnce(probe: JsonRecord, field: string): Errors {
  const { successThreshold } = probe;
  return [
    ...validateProbe(probe, field),
    ...(successThreshold === 1 ? [] : [fieldInvalid(`${field}.successThreshold`, successThreshold, 'must be 1')]),
  ];
}

/** A readiness probe never restarts the container, so it has no termination grace period. */
function validateReadiness(probe: JsonRecord, field: string): Errors {
  const { terminationGracePeriodSeconds: grace } = probe;
  const place = `${field}.terminationGracePeriodSeconds`;
  return [
    ...validateProbe(probe, field),
    ...(grace === undefined ? [] : [fieldInvalid(place, grace, 'must not be set for readinessProbes')]),
  ];
}
