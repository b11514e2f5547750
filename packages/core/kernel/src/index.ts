export { Clock, systemClock } from './clock.js';
export {
  DomainError,
  domainError,
  findCause,
  type DomainErrorClass,
  type DomainErrorOptions,
  type ErrorDetails,
} from './errors.js';
export { FIELD_PRIME, InvalidFelt, feltToBigInt, toFelt, type Felt } from './felt.js';
export { Felts } from './felts.js';
export { Logger, silentLogger, type LogFields } from './logger.js';
export { publicRevertReason } from './revert-reason.js';
export { u256FromHalves, u256ToHalves } from './u256.js';
