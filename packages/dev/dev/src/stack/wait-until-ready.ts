import { systemClock } from '@sotto/kernel';
import { z } from 'zod';

const Readiness = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), code: z.string().nullable() })),
});

const POLL_EVERY_MS = 40;
const TIMEOUT_MS = 60_000;
/** Time in ms after which progress is reported. */
const QUIET_MS = 3_000;

/**
 * Texts that describe the current activity of the service, by the name of the readiness check that
 * fails.
 */
const DOING: Readonly<Record<string, string>> = {
  store: 'opens its ledger',
  store_reads: 'opens its ledger',
  node: 'queries its node for the chain id',
  prices: 'asks for prices',
  ledger: 'compares its ledger with the chain',
  lanes: 'acquires its accounts',
  verifier: 'starts the threads that verify proofs',
  pool_verifiers: 'compares the verifiers of the pools',
};

/** Reason why the service is not ready yet, as text for the user and as codes. */
interface Lack {
  /** Activity of the service, for the user. */
  readonly doing: string;
  /** Names of the failed checks with their codes, for an error. */
  readonly codes: string;
}

export interface WaitOptions {
  /** Returns false if the service has ended and will never be ready. The wait then ends. */
  readonly isRunning: () => boolean;
  /**
   * Returns true if the service that responds is the expected service. The function is called again
   * if it rejects.
   * @default always true
   */
  readonly isOurs?: () => Promise<boolean>;
  readonly say: (text: string) => void;
  /** Time in ms after which progress is reported. @default 3,000 */
  readonly quietMs?: number;
  /** Maximum wait in ms. @default 60,000 */
  readonly timeoutMs?: number;
}

/**
 * Resolves when the service reports that it accepts withdrawals.
 * @throws Error if the service ends, another service responds, or the service is not ready in time;
 *   the message contains the failing checks
 */
export async function waitUntilReady(
  baseUrl: string,
  {
    isRunning,
    isOurs = () => Promise.resolve(true),
    say,
    quietMs = QUIET_MS,
    timeoutMs = TIMEOUT_MS,
  }: WaitOptions,
): Promise<void> {
  const startMs = systemClock.monotonicMs();
  let said = '';
  let codes = '';
  for (;;) {
    if (!isRunning()) throw new Error('the service ended while it started');
    let lack = await whatLacks(baseUrl);
    if (lack === null) {
      const ours = await isOurs().catch(() => null);
      if (ours === true) return;
      if (ours === false)
        throw new Error(`another service answers at ${baseUrl}; end it, or choose another port`);
      lack = { doing: 'does not answer its operator', codes: 'an answer to its operator' };
    }
    ({ codes } = lack);
    const waitedMs = systemClock.monotonicMs() - startMs;
    if (waitedMs >= timeoutMs) break;
    if (waitedMs >= quietMs && lack.doing !== said) {
      say(`the service ${lack.doing}`);
      said = lack.doing;
    }
    await systemClock.sleep(POLL_EVERY_MS);
  }
  throw new Error(
    `the service is not ready after ${timeoutMs / 1000} s; it still waits for: ${codes}`,
  );
}

/** Returns the failing checks, or null if no check fails. */
async function whatLacks(baseUrl: string): Promise<Lack | null> {
  let response: Response;
  try {
    response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(5_000) });
  } catch {
    return { doing: 'loads its modules', codes: 'the service to listen' };
  }
  if (response.ok) return null;
  const report = Readiness.safeParse(await response.json().catch(() => null));
  if (!report.success)
    return {
      doing: `answers with status ${response.status}`,
      codes: `an answer other than ${response.status}`,
    };
  const failing = Object.entries(report.data.checks).filter(([, { ok }]) => !ok);
  return {
    doing: failing.map(([name]) => DOING[name] ?? `is not ready by its check “${name}”`).join(', '),
    codes: failing
      .map(([name, { code }]) => (code === null ? name : `${name} (${code})`))
      .join(', '),
  };
}
