export { boundedLines, type BoundedLines } from './bounded-lines.js';
export { createLogger, LOG_LEVELS, type LoggerOptions, type LogLevel } from './create-logger.js';
export { logNodeWarnings } from './log-node-warnings.js';
export {
  Metrics,
  OTHER,
  type CounterHandle,
  type DurationHandle,
  type LabelSets,
  type MetricDefinition,
  type Sample,
} from './metrics.js';
export { PortObserver, type ObservedMethods } from './observed-port.js';
export { serveMetrics, type MetricsServer } from './serve-metrics.js';
export { startTracing, tracingIsOn, type TracingEnvironment } from './start-tracing.js';
