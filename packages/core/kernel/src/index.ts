export { BackgroundTask, startBackgroundTasks } from './background-tasks.js';
export { Clock, systemClock } from './clock.js';
export {
  ERROR_KINDS,
  DomainError,
  findCause,
  type ErrorDetails,
  type ErrorKind,
  type DomainErrorOptions,
} from './errors.js';
export { catalogued, type CataloguedError, type ErrorEntry } from './error-catalogue.js';
export { FIELD_PRIME, InvalidFelt, feltToBigInt, toFelt, type Felt } from './felt.js';
export { Felts } from './felts.js';
export { Logger, silentLogger, type LogFields } from './logger.js';
export { publicRevertReason } from './revert-reason.js';
export { u256FromHalves, u256ToHalves } from './u256.js';
export { unguessableId } from './unguessable-id.js';
