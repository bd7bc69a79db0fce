/** For the packages of this workspace only: it may change without notice. */

export { type CertificateRequest, type CertificateUse, issueCertificate, type Subject } from './pki/certificate.ts';
