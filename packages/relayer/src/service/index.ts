export { liveRoute, readyRoute } from './health-routes.js';
export { Listener, type OpenListener } from './listener.js';
export { runService } from './run-service.js';
export { serviceModule } from './service.module.js';
