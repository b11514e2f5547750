export { Clock, systemClock } from './clock.js';
export {
  FAULT_KINDS,
  Fault,
  findCause,
  type FaultDetails,
  type FaultKind,
  type FaultOptions,
} from './errors.js';
export { catalogued, type CataloguedFault, type FaultEntry } from './fault-catalogue.js';
export { FIELD_PRIME, InvalidFelt, feltToBigInt, toFelt, type Felt } from './felt.js';
export { Felts } from './felts.js';
export { Logger, silentLogger, type LogFields } from './logger.js';
export { publicRevertReason } from './revert-reason.js';
export { u256FromHalves, u256ToHalves } from './u256.js';
export { unguessableId } from './unguessable-id.js';
