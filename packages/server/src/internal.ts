/** For the packages of this workspace only: it may change without notice. */

export { type CertificateRequest, type CertificateUse, issueCertificate, type Subject } from './pki/certificate.ts';
export { inTurn, type TurnEnd } from './wire/pipelined-turns.ts';
