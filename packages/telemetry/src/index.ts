export { createLogger, LOG_LEVELS, type LoggerOptions, type LogLevel } from './create-logger.js';
