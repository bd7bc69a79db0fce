/** For the packages of this workspace only: it may change without notice. */

export {
  signUserToken,
  USER_RECORD,
  type UserTokenOrder,
  userRecordName,
} from './access/authentication/user-token.ts';
export { type CertificateRequest, type CertificateUse, issueCertificate, type Subject } from './pki/certificate.ts';
export { inTurn, type TurnEnd } from './wire/pipelined-turns.ts';
