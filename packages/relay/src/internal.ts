/** For the packages of this workspace only: it may change without notice. */

export { openPrimaryHost, type PrimaryHost, type ReaderTicket } from './readers/primary-host.ts';
export { linkReader, type ReaderLink } from './readers/reader-link.ts';
