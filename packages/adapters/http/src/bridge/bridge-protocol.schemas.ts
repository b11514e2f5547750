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

/** Far more than any way has. */
const MAX_LEGS = 20;

const Leg = z.object({
  step: z.enum(['swap', 'bridge']),
  from: z.string().max(200),
  to: z.string().max(200),
  dex: ShownText,
});

/** A field of our request, if the answer repeats it. */
const Echo = z.union([z.string(), z.boolean()]).nullish();

/**
 * Answer to a quote. Its terms are used; route and fees are only shown, so a quote without them is
 * one. The specification has neither an echo nor a deadline; both are checked where they come.
 */
export const Quote = z.object({
  transaction_id: Word.nullish(),
  deposit_address: Word.nullish(),
  /** `0.12 ETH`, perhaps with a sign that it is about. */
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
  // A JSON number beyond 2^53 has lost digits, so it is compared as a text and differs.
  amount: z.union([z.string(), z.number()]).nullish(),
  dry_run: Echo,
  recipient: Echo,
});
export type Quote = z.output<typeof Quote>;

const Step = z.object({ step: z.string(), status: z.string(), timestamp: Moment, tx_hash: TxHash });

/**
 * Answer to a status. Steps and the amounts of failed and partial transfers are more than the
 * specification promises; they are used where they come.
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
