// What other programs read of the service's settings.
export { lanesOf } from './lanes.js';
export { loadConfig } from './load-config.js';
