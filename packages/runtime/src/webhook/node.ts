/** The door for Node: everything of `index.ts`, and the HTTPS server with its certificate. */

export type { CertificateFiles } from './certificate/file-certificate.ts';
export * from './index.ts';
export { webhooks } from './managed-webhooks.ts';
export { serveWebhooks, type WebhookServing } from './serve-webhooks.ts';
export type { OwnCertificate, ServeWebhooksOptions } from './serve-webhooks-options.ts';
export { type WebhookListener, webhookListener } from './webhook-listener.ts';
