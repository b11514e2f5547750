export { openKeeper, openRelayer, type Runtime } from '../relayer/open.js';
export { liveRoute, readyRoute, servingRoute } from './health-routes.js';
export type { Listener, OpenListener } from './listener.js';
export { runService } from './run-service.js';
