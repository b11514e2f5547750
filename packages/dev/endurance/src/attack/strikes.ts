import { systemClock } from '@sotto/kernel';
import { nullifierOf } from '@sotto/load-kit';
import type { Service } from '@sotto/process-kit';
import { z } from 'zod';
import { loadPool } from '../stack/withdrawals.js';
import type { Stack } from '../stack/stack.js';

/** Request header with which the service responds before the outcome is known. */
export const ASYNC = { prefer: 'respond-async' };

const Submission = z.object({ transaction_hash: z.string() });
const Counters = z.object({ calls: z.record(z.string(), z.number()) });
const SENT_POLLS = 60;
const SENT_POLL_MS = 20;

/**
 * Resolves once the submission has a transaction. Also resolves after the last poll, even without a
 * transaction.
 */
export async function untilSent(
  service: Service,
  location: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (let poll = 0; poll < SENT_POLLS; poll += 1) {
    const { body } = await service.get(location, headers);
    const hash = Submission.safeParse(body).data?.transaction_hash ?? '';
    if (hash !== '') return;
    await systemClock.sleep(SENT_POLL_MS);
  }
}

/** Marks a note as spent in the chain's storage, as if another transaction had spent it. */
export async function spendDirectly(stack: Stack, note: number): Promise<void> {
  await stack.chain.control('setStorage', {
    address: `0x${loadPool.address.toString(16)}`,
    key: `nullifier:${nullifierOf(note).toString(16)}`,
    value: '1',
  });
}

/**
 * Counts the node calls during an action. The longer the action lasts, the more of the service's
 * own calls are included.
 */
export async function callsDuring(
  stack: Stack,
  action: () => Promise<void>,
): Promise<{ readonly calls: number; readonly ms: number }> {
  const [before, sinceMs] = [await callsOf(stack), systemClock.monotonicMs()];
  await action();
  return { calls: (await callsOf(stack)) - before, ms: systemClock.monotonicMs() - sinceMs };
}

/**
 * Counts the node calls. Ignores the balance reads that each poll of an account makes together with
 * the nonce read.
 */
async function callsOf(stack: Stack): Promise<number> {
  const { calls } = Counters.parse(await stack.chain.control('counters'));
  return (calls['starknet_call'] ?? 0) - (calls['starknet_getNonce'] ?? 0);
}
