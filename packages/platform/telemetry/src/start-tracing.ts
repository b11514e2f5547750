import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum wait in ms for the collector when the process ends. */
const STOP_MS = 2_000;

/** Environment variables that configure traces: OpenTelemetry’s standard variables. */
export type TracingEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Returns true if the standard variables enable traces: they configure an exporter or its endpoint,
 * and do not disable the SDK.
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
 * Starts OpenTelemetry’s SDK if {@link tracingIsOn}. Spans wait in memory for a slow collector, up
 * to the SDK’s limit (`OTEL_BSP_MAX_QUEUE_SIZE`, 2,048); above the limit, new spans are lost. The
 * SDK reads its variables from the process’s environment. Only this service’s code creates spans,
 * because instrumented libraries would record addresses and callers. Host and command line are not
 * recorded.
 * @returns a function that sends the remaining spans for at most 2 s and never rejects; null if
 *   traces are disabled
 */
export async function startTracing(env: TracingEnvironment): Promise<(() => Promise<void>) | null> {
  if (!tracingIsOn(env)) return null;
  // Load the SDK only if needed, because it uses about 40 MB of memory.
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
