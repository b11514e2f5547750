import { setTimeout as sleep } from 'node:timers/promises';

/** Longest wait in ms for the collector at the end of the process. */
const STOP_MS = 2_000;

/** Environment that decides about traces: OpenTelemetry's standard variables. */
export type TracingEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns true if the standard variables enable traces: an exporter or its endpoint is named, and
 * the SDK is not disabled.
 */
export function tracingIsOn(env: TracingEnvironment): boolean {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const exporter = env['OTEL_TRACES_EXPORTER'];
  if (exporter !== undefined && exporter !== '') return exporter !== 'none';
  return [env['OTEL_EXPORTER_OTLP_ENDPOINT'], env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']].some(
    (url) => url !== undefined && url !== '',
  );
}

/**
 * Starts OpenTelemetry's SDK if {@link tracingIsOn}. Spans wait in memory for a slow collector, up
 * to the SDK's limit (`OTEL_BSP_MAX_QUEUE_SIZE`, 2,048); above it they are lost. The SDK reads its
 * variables from the process's environment. Only spans of this service are created. No libraries
 * are instrumented, which would record addresses and callers, and nothing is recorded about host or
 * command line.
 * @returns a function that sends the remaining spans, for 2 s at most, and never rejects; null if
 *   traces are off
 */
export async function startTracing(env: TracingEnvironment): Promise<(() => Promise<void>) | null> {
  if (!tracingIsOn(env)) return null;
  // Loaded only if needed, because it uses about 40 MB.
  const { startNodeSdk } = await import('@opentelemetry/sdk-node');
  const sdk = startNodeSdk({
    instrumentations: [],
    resourceDetectors: [],
    resourceAttributes: { 'service.name': env['OTEL_SERVICE_NAME'] ?? 'sotto' },
    metricReaders: [],
    logRecordProcessors: [],
    logLevel: env['OTEL_LOG_LEVEL'] ?? 'none',
  });
  return async () => {
    const ended = sdk.shutdown().catch(() => undefined);
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
  };
}
