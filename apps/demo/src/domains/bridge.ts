import { systemClock, toFelt } from '@sotto/kernel';
import { z } from 'zod';
import { say } from '../console.js';
import { getJson, postJson } from '../json-request.js';
import type { Sites } from '../sites/sites.js';

const Quote = z.object({
  transaction_id: z.string(),
  deposit_address: z.string(),
  estimated_output: z.string(),
});
const Status = z.object({
  status: z.enum(['processing', 'completed']),
  steps: z.array(
    z.object({
      step: z.string(),
      status: z.enum(['pending', 'processing', 'completed', 'failed']),
    }),
  ),
});

/** Request for a transfer of 100 USDC. */
const TRANSFER = {
  from_chain: 'ethereum',
  from_token: 'USDC',
  to_chain: 'starknet',
  to_token: 'STRK',
  amount: '100000000',
} as const;
/**
 * Duration of each step of the transfer, in ms. The duration is long enough to observe each step.
 */
const STEP_MS = 400;
const POLL_EVERY_MS = 100;
const TIMEOUT_MS = 30_000;

/**
 * Bridges funds to Starknet and polls the transfer. The sandbox's solver simulates the other chain.
 * @throws Error unless the funds arrive
 */
export async function showBridge({ baseUrl, solverControlUrl, world }: Sites): Promise<string> {
  const recipient = toFelt(world.accounts.recipient3.address);
  const quote = Quote.parse(
    (await postJson(`${baseUrl}/api/bridge/quote`, { ...TRANSFER, dry_run: false, recipient }))
      .body,
  );
  say(`bridging 100 USDC from Ethereum to ${quote.estimated_output}`);
  await postJson(solverControlUrl, { action: 'configure', settings: { stepMs: STEP_MS } });
  await postJson(solverControlUrl, { action: 'deposit', transactionId: quote.transaction_id });
  const startedAtMs = systemClock.monotonicMs();
  const query = new URLSearchParams({ transaction_id: quote.transaction_id }).toString();
  const steps = await followed(`${baseUrl}/api/bridge/status?${query}`);
  const seconds = ((systemClock.monotonicMs() - startedAtMs) / 1_000).toFixed(1);
  return `100 USDC on Ethereum → ${quote.estimated_output}: ${steps} steps completed in ${seconds} s`;
}

/** Prints every step once it is completed. @returns the number of steps */
async function followed(url: string): Promise<number> {
  const untilMs = systemClock.monotonicMs() + TIMEOUT_MS;
  let printed = 0;
  while (systemClock.monotonicMs() < untilMs) {
    const { status, steps } = Status.parse((await getJson(url)).body);
    const completed = steps.filter((step) => step.status === 'completed');
    for (const { step } of completed.slice(printed))
      say(`bridge: ${step} is completed (${++printed} of ${steps.length})`);
    const failed = steps.find((step) => step.status === 'failed');
    if (failed !== undefined) throw new Error(`the transfer failed at ${failed.step}`);
    if (status === 'completed') return completed.length;
    await systemClock.sleep(POLL_EVERY_MS);
  }
  throw new Error(`the transfer is not complete after ${TIMEOUT_MS / 1_000} s`);
}
