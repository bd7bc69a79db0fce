/** For the packages of this workspace only: it may change without notice. */

export {
  signUserToken,
  USER_RECORD,
  type UserTokenOrder,
  userRecordName,
} from './access/authentication/user-token.ts';
export { failureResponse } from './answer/failure-response.ts';
export type { IncomingRequest } from './contract/incoming-request.ts';
export { headerPairs, type PassedAnswer, type PassedHead, type Reply } from './contract/reply.ts';
export { HOP_HEADERS } from './forward/hop-headers.ts';
export {
  exchangeHttp,
  type HttpAnswer,
  type HttpExchange,
  type InterimAnswer,
  retireAgent,
  StaleConnection,
  sendBody,
} from './forward/http-exchange.ts';
export { type CertificateRequest, type CertificateUse, issueCertificate, type Subject } from './pki/certificate.ts';
export { createProcessServer } from './start/create-api-server.ts';
export type { ClientDoor, HttpServerAddress, HttpServerLoad } from './start/create-http-server.ts';
export type { PrimaryOptions, ProcessServer, ProcessServerOptions, ReaderOptions } from './start/process-server.ts';
export { forwardedConnectionHeaders } from './wire/forwarded-connection.ts';
export { inTurn, type TurnEnd } from './wire/pipelined-turns.ts';
