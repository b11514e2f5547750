import { systemClock } from '@sotto/kernel';
import { z } from 'zod';

const Readiness = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), code: z.string().nullable() })),
});

const LOOK_EVERY_MS = 150;
const TIMEOUT_MS = 60_000;

/**
 * Resolves when the service says that it can take withdrawals.
 * @param isRunning false ends the wait: the service will never be ready
 * @throws Error when the service ends, or is not ready after a minute; the message names the checks
 *   that fail
 */
export async function waitUntilReady(
  baseUrl: string,
  isRunning: () => boolean,
  print: (text: string) => void,
): Promise<void> {
  const untilMs = systemClock.monotonicMs() + TIMEOUT_MS;
  let printed = '';
  while (systemClock.monotonicMs() < untilMs) {
    if (!isRunning()) throw new Error('the service ended while it started');
    const lacking = await missingFor(baseUrl);
    if (lacking === '') return;
    if (lacking !== printed) print(`waiting for: ${lacking}`);
    printed = lacking;
    await systemClock.sleep(LOOK_EVERY_MS);
  }
  throw new Error(
    `the service is not ready after ${TIMEOUT_MS / 1000} s; it still waits for: ${printed}`,
  );
}

/** What is not ready yet; nothing once all is. */
async function missingFor(baseUrl: string): Promise<string> {
  let response: Response;
  try {
    response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) });
  } catch {
    return 'the service to listen';
  }
  if (response.ok) return '';
  const report = Readiness.safeParse(await response.json().catch(() => null));
  if (!report.success) return `an answer other than ${response.status}`;
  const failing = Object.entries(report.data.checks).filter(([, { ok }]) => !ok);
  return failing.map(([name, { code }]) => (code === null ? name : `${name} (${code})`)).join(', ');
}
