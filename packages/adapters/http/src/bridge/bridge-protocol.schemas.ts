import { z } from 'zod';
import {
  Deadline,
  Moment,
  ReasonText,
  ShownText,
  TokenAmount,
  TxHash,
  Word,
  elementsOf,
} from './wire.js';

/** Maximum number of legs and steps, far more than any route has. */
const MAX_LEGS = 20;

const Leg = z.object({
  step: z.enum(['swap', 'bridge']),
  from: z.string().max(200),
  to: z.string().max(200),
  dex: ShownText,
});

/** Schema of a field of our request that the response may repeat. */
const Echo = z.union([z.string(), z.boolean()]).nullish();

/**
 * Response to a quote request. The terms are used; route and fees are only displayed, so they may
 * be absent. The specification has neither echoed fields nor a deadline; echoed fields and the
 * deadline are checked if present.
 */
export const Quote = z.object({
  transaction_id: Word.nullish(),
  deposit_address: Word.nullish(),
  /** Amount such as `0.12 ETH`, optionally preceded by `~` or `≈`. */
  estimated_output: z.string().max(200),
  deposit_deadline: Deadline,
  expires_at: Deadline,
  route: elementsOf(Leg, MAX_LEGS),
  fees: z
    .object({ bridge_fee: ShownText, gas_estimate: ShownText, swap_fees: ShownText })
    .catch({}),
  from_chain: Echo,
  from_token: Echo,
  to_chain: Echo,
  to_token: Echo,
  // A JSON number above 2^53 has lost digits. The number is compared with our amount as text, so it
  // is rejected as different.
  amount: z.union([z.string(), z.number()]).nullish(),
  dry_run: Echo,
  recipient: Echo,
});
export type Quote = z.output<typeof Quote>;

const Step = z.object({ step: z.string(), status: z.string(), timestamp: Moment, tx_hash: TxHash });

/**
 * Response to a status query. The specification lacks steps and the amounts of failed and partial
 * transfers; they are used if present.
 */
export const Status = z.object({
  transaction_id: Word,
  status: z.string().max(200),
  output_amount: TokenAmount,
  output_tx_hash: TxHash,
  completion_time: Moment,
  deposited_amount: TokenAmount,
  refunded_amount: TokenAmount,
  reason: ReasonText,
  steps: elementsOf(Step, MAX_LEGS),
});
export type Status = z.output<typeof Status>;
