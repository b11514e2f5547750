export { ArrivingBodies, type ArrivingSettings } from './arriving-bodies.js';
export { BearerTokens, requireBearer, type NamedToken } from './bearer.js';
export { Connections, type ConnectionCounts } from './connections.js';
export { createApp, type AppOptions } from './create-app.js';
export { errorLink } from './error-page.js';
export { implement, implementCached, implementStream } from './implement.js';
export { LargeBodies } from './large-bodies.js';
export { InFlight, type InFlightCounts, type InFlightSettings } from './in-flight.js';
export {
  listen,
  listenOnAll,
  type Listeners,
  type ListeningServer,
  type ServerOptions,
} from './listen.js';
export { buildOpenApi } from './openapi.js';
export {
  RpcError,
  implementJsonRpc,
  invalidParams,
  rpcMethodOf,
  type JsonRpcOptions,
  type RpcFailure,
  type RpcInput,
  type RpcMethod,
} from './json-rpc.js';
export { prefersAsync } from './prefer.js';
export { BoundedRateStore, type RateLimitSettings } from './rate-limits.js';
export { readBase64 } from './read-base64.js';
export { readFelt, readFelts } from './read-felt.js';
export { retryAtOf } from './retry-at.js';
export { InvalidRequest } from './errors.js';
export { requestMetrics } from './request-metrics.js';
export { HeadersTooLarge, MalformedHttp, RequestTimedOut } from './refuse-connection.js';
export { Route, type BodyOf, type RouteDefinition } from './route.js';
export { readSite, type Site } from './site.js';
