import { z } from 'zod';
import { Moment, ShownText, TxHash, Word } from './wire.js';

/** Far more than any way has. */
const MAX_LEGS = 20;

const Leg = z.object({
  step: z.enum(['swap', 'bridge']),
  from: z.string().max(200),
  to: z.string().max(200),
  dex: ShownText,
});

/**
 * Answer to a quote. Its terms are used; route and fees are only shown, so a quote without them is
 * one.
 */
export const Quote = z.object({
  transaction_id: Word.nullish(),
  deposit_address: Word.nullish(),
  /** `0.12 ETH`, perhaps with a sign that it is about. */
  estimated_output: z.string().max(200),
  route: z.array(Leg).max(MAX_LEGS).catch([]),
  fees: z
    .object({ bridge_fee: ShownText, gas_estimate: ShownText, swap_fees: ShownText })
    .catch({}),
});
export type Quote = z.output<typeof Quote>;

const Step = z.object({ step: z.string(), status: z.string(), timestamp: Moment, tx_hash: TxHash });

/** Answer to a status. Steps are more than the protocol promises; they are used where they come. */
export const Status = z.object({
  transaction_id: Word,
  status: z.string().max(200),
  output_amount: ShownText,
  output_tx_hash: TxHash,
  completion_time: Moment,
  steps: z.array(Step).max(MAX_LEGS).optional().catch(undefined),
});
export type Status = z.output<typeof Status>;
