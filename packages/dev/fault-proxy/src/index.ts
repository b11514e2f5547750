export type { FaultControl } from './control.js';
export type { Counters } from './counters.js';
export type { Fault, FaultOrder } from './faults.js';
export { startFaultProxy, type FaultProxy, type FaultProxyOptions } from './proxy.js';
export type { Route } from './routes.js';
