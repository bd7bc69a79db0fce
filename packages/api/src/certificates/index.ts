/** X.509 certificates as bytes, for the packages that make them. */

export {
  type CertificateContent,
  type CertificateUse,
  type CertifiedKey,
  certificateText,
  type Subject,
} from './certificate-text.ts';
