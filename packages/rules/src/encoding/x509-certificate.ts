/** Is this an X.509 certificate? Checks its structure, not its signature. */

import { DER, type DerValue, derValues } from './der-value.ts';

/** A check of one value, or of nothing. */
type Form = (value: DerValue | undefined) => boolean;

/** Do the bytes consist of one or more certificates? */
export function isCertificates(bytes: Uint8Array): boolean {
  const { values, isWhole } = derValues(bytes);
  return isWhole && values.length > 0 && values.every(certificate);
}

/** RFC 5280, 4.1: Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm, signatureValue }. */
const certificate: Form = (value) => fits(sequence(value), [body, algorithm, bits]);

/** TBSCertificate: version [0], serial, signature, issuer, validity, subject, key, and [1], [2], [3] in this order. */
const body: Form = (value) => {
  const values = sequence(value);
  if (values === undefined) return false;
  const rest = values[0]?.tag === VERSION ? values.slice(1) : values;
  if (values[0]?.tag === VERSION && !fits(inner(values[0]), [integer])) return false;
  const extras = rest.slice(FIELDS.length);
  const tags = extras.map(({ tag }) => tag);
  return (
    fits(rest.slice(0, FIELDS.length), FIELDS) &&
    tags.every((tag, index) => EXTRAS.includes(tag) && tag > (tags[index - 1] ?? 0)) &&
    extras.every((extra) => extra.tag !== EXTENSIONS || extensions(extra))
  );
};

const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
/** The unique ids of issuer and subject, and the extensions. */
const EXTRAS: readonly number[] = [0x81, 0x82, EXTENSIONS];

const ofTag = (tag: number): Form => {
  return (value) => value?.tag === tag && value.content.length > 0;
};
const integer = ofTag(DER.integer);
const identifier = ofTag(DER.objectIdentifier);
const bits = ofTag(DER.bitString);
const octets: Form = (value) => value?.tag === DER.octetString;
const time: Form = (value) => value?.tag === DER.utcTime || value?.tag === DER.generalizedTime;

const algorithm: Form = (value) => {
  const values = sequence(value);
  return values !== undefined && values.length <= 2 && identifier(values[0]);
};
const validity: Form = (value) => fits(sequence(value), [time, time]);
const name: Form = (value) => sequence(value)?.every(nameParts) === true;
const nameParts: Form = (value) =>
  value?.tag === DER.set && inner(value)?.every((part) => fits(sequence(part), [identifier, () => true])) === true;
const publicKey: Form = (value) => fits(sequence(value), [algorithm, bits]);

const FIELDS: readonly Form[] = [integer, algorithm, name, validity, name, publicKey];

const extensions: Form = (value) => {
  const [list, ...others] = (value && inner(value)) ?? [];
  return others.length === 0 && sequence(list)?.every(extension) === true;
};
const extension: Form = (value) => {
  const values = sequence(value);
  return fits(values, [identifier, octets]) || fits(values, [identifier, ofTag(DER.boolean), octets]);
};

function sequence(value: DerValue | undefined): readonly DerValue[] | undefined {
  return value?.tag === DER.sequence ? inner(value) : undefined;
}

/** The nested values of a value; undefined when they do not fill it. */
function inner({ content }: DerValue): readonly DerValue[] | undefined {
  const { values, isWhole } = derValues(content);
  return isWhole ? values : undefined;
}

function fits(values: readonly DerValue[] | undefined, forms: readonly Form[]): boolean {
  return values?.length === forms.length && forms.every((form, index) => form(values[index]));
}
