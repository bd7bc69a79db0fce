/** CertificateSigningRequest: a request for a certificate. */

import {
  checkDnsLabel,
  checkDnsSubdomain,
  DNS_SUBDOMAIN_MAX,
  type FieldError,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  invalid,
  quote,
} from '@listwatch/api';
import {
  extended,
  isJsonNumber,
  type JsonRecord,
  listOf,
  numberOf,
  recordOf,
  recordsOf,
  textOf,
} from '@listwatch/api/values';
import { humanDuration } from '../../columns/human-duration.ts';
import { AGE_COLUMN, ageCell, column, NAME_COLUMN, nameCell } from '../../columns/table-column.ts';
import { pemType } from '../../encoding/pem-blocks.ts';
import type { KubeObject } from '../../kube-object.ts';
import type { KindRules } from '../../strategy/kind-rules.ts';
import { itemErrors } from '../../validation/item-errors.ts';
import {
  datedConditions,
  validateCertificateConditions,
  validateKeptConditions,
  withoutVerdicts,
} from './certificate-conditions.ts';

type Errors = readonly FieldError[];

/** The rules of CertificateSigningRequest. */
export const certificateSigningRequest: KindRules = {
  columns: {
    definitions: [
      NAME_COLUMN,
      AGE_COLUMN,
      column('SignerName', 'Who is to sign it.'),
      column('Requestor', 'Who asks for it.'),
      column('RequestedDuration', 'How long it is to be valid.'),
      column('Condition', 'How far the request is.'),
    ],
    cells,
  },
  onCreate,
  onUpdate: (object, old) => ({ ...old, metadata: object.metadata }),
  onStatusUpdate,
  validate,
  validateUpdate: (object, old) => [...validateChange(object, old), ...validate(object)],
  checkName: () => [],
};

function validate(object: KubeObject): Errors {
  return [
    ...validateSpec(recordOf(object['spec'])),
    ...validateCertificateConditions(recordOf(object['status'])['conditions']),
    ...validateCertificate(textOf(recordOf(object['status'])['certificate'])),
  ];
}

/** Drops the requestor and the status of the client: the server sets the requestor, and a new request has no status. */
function onCreate(object: KubeObject): KubeObject {
  const spec = Object.entries(recordOf(object['spec'])).filter(([name]) => !REQUESTOR.has(name));
  return extended(object, { spec: Object.fromEntries(spec), status: {} });
}

/** The fields about the requestor, which the server sets. */
const REQUESTOR: ReadonlySet<string> = new Set(['username', 'uid', 'groups', 'extra']);

function onStatusUpdate(object: KubeObject, old: KubeObject, now: number): KubeObject {
  const status = recordOf(object['status']);
  const had = recordOf(old['status'])['conditions'];
  const { conditions, errors } = withoutVerdicts(status['conditions'], had);
  // Thrown before `validateUpdate`, whose rules are also those of /approval, which may set these conditions.
  if (errors.length > 0) throw invalid(RESOURCE, old.metadata.name ?? '', errors);
  const dated = datedConditions(conditions, had, now);
  return { ...old, metadata: object.metadata, status: { ...status, conditions: dated } };
}

const RESOURCE = { group: 'certificates.k8s.io', kind: 'CertificateSigningRequest' };

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const SECONDS_MIN = 600;

function validateSpec({ request, usages: values, signerName, expirationSeconds: seconds }: JsonRecord): Errors {
  const usages = listOf(values).map(textOf);
  const seen = new Set<string>();
  const unknown = itemErrors(usages, (usage, index) =>
    USAGES.includes(usage) ? [] : [fieldNotSupported(`spec.usages[${index}]`, usage, USAGES)],
  );
  const repeated = itemErrors(usages, (usage, index) => {
    if (seen.has(usage)) return [fieldDuplicate(`spec.usages[${index}]`, usage)];
    seen.add(usage);
    return [];
  });
  return [
    ...(isRequestPem(textOf(request))
      ? []
      : [fieldInvalid('spec.request', textOf(request) || null, 'PEM block type must be CERTIFICATE REQUEST')]),
    ...(usages.length === 0 ? [fieldRequired('spec.usages')] : []),
    ...unknown,
    ...repeated,
    ...validateSigner(textOf(signerName), 'spec.signerName'),
    ...(isJsonNumber(seconds) && numberOf(seconds) < SECONDS_MIN
      ? [
          fieldInvalid(
            'spec.expirationSeconds',
            seconds,
            'may not specify a duration less than 600 seconds (10 minutes)',
          ),
        ]
      : []),
  ];
}

/** Checks the type of the first PEM block. The signer checks its content. */
function isRequestPem(base64: string): boolean {
  return pemType(base64) === 'CERTIFICATE REQUEST';
}

function validateCertificate(certificate: string): Errors {
  const detail = 'must contain at least one CERTIFICATE PEM block';
  return certificate === '' || pemType(certificate) === 'CERTIFICATE'
    ? []
    : [fieldInvalid('status.certificate', '<certificate data>', detail)];
}

const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';

function validateSigner(signer: string, field: string): Errors {
  if (signer === LEGACY_SIGNER) {
    return [fieldInvalid(field, signer, 'the legacy signerName is not allowed via this API version')];
  }
  if (signer === '') return [fieldRequired(field)];
  const [domain = '', path = '', ...rest] = signer.split('/');
  if (rest.length > 0 || !signer.includes('/')) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [fieldInvalid(field, signer, detail)];
  }
  return [
    ...(domain.length > DNS_SUBDOMAIN_MAX ? [fieldTooLong(field, DNS_SUBDOMAIN_MAX)] : []),
    ...validateLabelsOf(domain, checkDnsLabel, field),
    ...(domain.includes('.')
      ? []
      : [fieldInvalid(field, domain, 'should be a domain with at least two segments separated by dots')]),
    ...validateLabelsOf(path, checkDnsSubdomain, field),
  ];
}

/** The complaints about the first invalid DNS label. */
function validateLabelsOf(text: string, check: (label: string) => readonly string[], field: string): Errors {
  const wrong = text.split('.').find((label) => check(label).length > 0);
  if (wrong === undefined) return [];
  return check(wrong).map((complaint) => fieldInvalid(field, text, `validating label ${quote(wrong)}: ${complaint}`));
}

/** Conditions cannot be removed, and a certificate cannot be changed. */
function validateChange(object: KubeObject, old: KubeObject): Errors {
  const { certificate, conditions } = recordOf(object['status']);
  const had = recordOf(old['status']);
  const changed = textOf(had['certificate']) !== '' && certificate !== had['certificate'];
  return [
    ...validateKeptConditions(conditions, had['conditions']),
    ...(changed ? [fieldForbidden('status.certificate', 'updates may not modify existing certificate content')] : []),
  ];
}

function cells(object: KubeObject, now: number): readonly unknown[] {
  const { signerName, username, expirationSeconds: seconds } = recordOf(object['spec']);
  return [
    nameCell(object),
    ageCell(object, now),
    textOf(signerName) || '<none>',
    textOf(username),
    isJsonNumber(seconds) ? humanDuration(numberOf(seconds) * 1000) : '<none>',
    conditionCell(recordOf(object['status'])),
  ];
}

function conditionCell({ conditions, certificate }: JsonRecord): string {
  const types = new Set(recordsOf(conditions).map(({ type }) => textOf(type)));
  const verdict = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return [verdict, ...(types.has('Failed') ? ['Failed'] : []), ...(textOf(certificate) === '' ? [] : ['Issued'])].join(
    ',',
  );
}
