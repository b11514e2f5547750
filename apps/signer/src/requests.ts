import { FIELD_PRIME, Felts, toFelt, type Felt } from '@sotto/kernel';
import { z } from 'zod';

/**
 * Schemas accept only the canonical form of a request: a felt has no leading zeros and no capitals,
 * and unknown members are rejected. Otherwise the signer could check one spelling of a value and
 * sign another spelling.
 */
const MAX_FELTS = 8_192;
const MAX_PROOF_FACTS = 64;
const CANONICAL = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/;
const isFelt = (text: string): boolean => CANONICAL.test(text) && BigInt(text) < FIELD_PRIME;

const CanonicalFelt = z
  .string()
  .refine(isFelt)
  .transform((text): Felt => toFelt(text));
const CanonicalFelts = (most: number, least = 0) =>
  z
    .array(z.string())
    .min(least)
    .max(most)
    .refine((texts) => texts.every(isFelt))
    .transform((texts) => Felts.parse(texts));
const below = (bound: bigint) =>
  z
    .string()
    .max(66)
    .regex(CANONICAL)
    .transform(BigInt)
    .refine((value) => value < bound);
const U64 = below(2n ** 64n);
const Bound = z
  .strictObject({ max_amount: U64, max_price_per_unit: below(2n ** 128n) })
  .transform(({ max_amount: maxAmount, max_price_per_unit: maxPriceFri }) => ({
    maxAmount,
    maxPriceFri,
  }));
const Word = z.string().max(80);

/**
 * Request of `POST /v1/sign/invoke`: the transaction in the format of a node's API, without a
 * signature.
 */
export const InvokeRequest = z.strictObject({
  chain_id: CanonicalFelt,
  transaction: z.strictObject({
    type: Word,
    version: Word,
    sender_address: CanonicalFelt,
    signature: z.array(Word).max(16),
    nonce: U64,
    resource_bounds: z.strictObject({ l1_gas: Bound, l1_data_gas: Bound, l2_gas: Bound }),
    tip: U64,
    paymaster_data: z.array(Word).max(16),
    account_deployment_data: z.array(Word).max(16),
    nonce_data_availability_mode: Word,
    fee_data_availability_mode: Word,
    calldata: CanonicalFelts(MAX_FELTS),
    // An empty list has the hash of an absent one, so only the absent one is accepted.
    proof_facts: CanonicalFelts(MAX_PROOF_FACTS, 1).exactOptional(),
  }),
});
export type InvokeRequest = z.output<typeof InvokeRequest>;

/**
 * Request of `POST /v1/sign/message`. The content of the message is parsed according to its kind.
 */
export const MessageRequest = z.strictObject({
  account: CanonicalFelt,
  typed_data: z.strictObject({
    types: z.unknown(),
    primaryType: Word,
    domain: z.unknown(),
    message: z.unknown(),
  }),
});
export type MessageRequest = z.output<typeof MessageRequest>;
