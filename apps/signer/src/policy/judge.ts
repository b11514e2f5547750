import { u256FromHalves, type Felts } from '@sotto/kernel';
import type { ExecutedCall } from '../execute-calldata.js';
import { Refused } from '../refusal.js';
import type { InvokeRequest } from '../requests.js';
import type { AccountPolicy, CallRule } from './policy.js';

const HALF = 1n << 128n;

/** A call that the policy lists. The amount is null if the rule has no amount. */
export interface ListedCall {
  readonly rule: CallRule;
  readonly amount: bigint | null;
}

type Transaction = InvokeRequest['transaction'];

/**
 * Checks that the transaction has the only format that is signed, within the account's resource
 * bounds.
 * @throws Refused
 */
export function judgeTerms(transaction: Transaction, { bounds }: AccountPolicy): void {
  const { l1_gas: l1Gas, l1_data_gas: l1DataGas, l2_gas: l2Gas } = transaction.resource_bounds;
  if (transaction.type !== 'INVOKE' || transaction.version !== '0x3')
    throw new Refused('SIGNER_REFUSED_VERSION');
  const isPlain =
    transaction.signature.length === 0 &&
    transaction.paymaster_data.length === 0 &&
    transaction.account_deployment_data.length === 0 &&
    transaction.nonce_data_availability_mode === 'L1' &&
    transaction.fee_data_availability_mode === 'L1';
  if (!isPlain) throw new Refused('SIGNER_REFUSED_TERMS');
  if (transaction.tip > bounds.maxTipFri) throw new Refused('SIGNER_REFUSED_TIP');
  const pairs = [
    [l1Gas, bounds.l1Gas],
    [l1DataGas, bounds.l1DataGas],
    [l2Gas, bounds.l2Gas],
  ] as const;
  for (const [asked, most] of pairs)
    if (asked.maxAmount > most.maxAmount || asked.maxPriceFri > most.maxPriceFri)
      throw new Refused('SIGNER_REFUSED_BOUNDS');
}

/** Returns the maximum cost of the transaction in fri: Σ amount × price, including the tip. */
export function worstCaseFri({ resource_bounds: bounds, tip }: Transaction): bigint {
  const { l1_gas: l1Gas, l1_data_gas: l1DataGas, l2_gas: l2Gas } = bounds;
  return (
    l2Gas.maxAmount * (l2Gas.maxPriceFri + tip) +
    l1Gas.maxAmount * l1Gas.maxPriceFri +
    l1DataGas.maxAmount * l1DataGas.maxPriceFri
  );
}

/**
 * Returns the rule that lists the call, with the call's amount.
 * @throws Refused
 */
export function judgeCall(
  { to, selector, calldata }: ExecutedCall,
  { calls }: AccountPolicy,
): ListedCall {
  const rule = calls.find((each) => each.contract === to && each.selector === selector);
  if (rule === undefined) throw new Refused('SIGNER_REFUSED_CALL');
  if (rule.felts !== null && calldata.length !== rule.felts)
    throw new Refused('SIGNER_REFUSED_ARGUMENT');
  for (const [index, allowed] of rule.arguments)
    if (index >= calldata.length || !allowed.has(calldata.feltAt(index)))
      throw new Refused('SIGNER_REFUSED_ARGUMENT');
  if (rule.amount === null) return { rule, amount: null };
  const amount = u256At(calldata, rule.amount.at);
  if (amount > rule.amount.most) throw new Refused('SIGNER_REFUSED_AMOUNT');
  return { rule, amount };
}

function u256At(calldata: Felts, index: number): bigint {
  if (index + 1 >= calldata.length) throw new Refused('SIGNER_REFUSED_ARGUMENT');
  const [low, high] = [calldata.at(index), calldata.at(index + 1)];
  if (low >= HALF || high >= HALF) throw new Refused('SIGNER_REFUSED_ARGUMENT');
  return u256FromHalves(low, high);
}
