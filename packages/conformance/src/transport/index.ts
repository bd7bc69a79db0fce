/** The transport contract as a suite, and the scripted servers that it runs against. Start at `describeTransport`. */

export { describeTransport } from './describe-transport.ts';
export { get, reader, rejection, rest, sending } from './requests.ts';
export type { ScriptedExchange, ScriptedServer } from './scripted-exchange.ts';
export { createScriptedHandler, type ScriptedHandler } from './scripted-handler.ts';
export { type ScriptedServerOptions, startHttp1Server } from './scripted-http1-server.ts';
export {
  type ScriptedHttp2Server,
  type ScriptedHttp2ServerOptions,
  startHttp2Server,
} from './scripted-http2-server.ts';
export type { TransportCapabilities, TransportSuite, TransportTarget } from './transport-suite.ts';
