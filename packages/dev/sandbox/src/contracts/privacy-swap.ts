import { Revert, type CallContext, type ContractModel } from '../engine/contract.js';
import { Arguments, modelClassHash, u256Felts } from './calldata.js';
import { tokenBalance } from './erc20.js';
import { INVOKED } from './privacy-pool-actions.js';
import { WHOLE } from './route.js';
import { swapAtRouter } from './swap.js';

export interface PrivacySwapOptions {
  readonly router: bigint;
  /** Exchange at which the contract sells. */
  readonly exchange: bigint;
}

/**
 * Contract for private swaps. The privacy pool pays it a token and then invokes it. The contract
 * swaps the whole amount and deposits the bought token into an open note. Parameters: token to
 * sell, token to buy, minimum amount (u128), note id. `privacy_invoke_with_computation` has an
 * identity key before them.
 */
export function privacySwap(options: PrivacySwapOptions): ContractModel {
  return {
    name: 'PrivacySwap',
    classHash: modelClassHash('PrivacySwap'),
    entrypoints: {
      [INVOKED.invoke]: (context, calldata) => swapIntoNote(context, calldata, options),
      [INVOKED.invokeWithComputation]: (context, [, ...calldata]) =>
        swapIntoNote(context, calldata, options),
    },
  };
}

function swapIntoNote(
  context: CallContext,
  calldata: readonly bigint[],
  { router, exchange }: PrivacySwapOptions,
): bigint[] {
  const args = new Arguments(calldata);
  const [sellToken, buyToken] = [args.address(), args.address()];
  const minimumOut = args.u128();
  const note = args.felt();
  args.end();
  const amount = tokenBalance(context, sellToken, context.self);
  if (amount === 0n) throw new Revert('NOTHING_TO_SWAP');
  const swap = { exchange, percent: WHOLE, params: [] };
  const bought = swapAtRouter(context, {
    router,
    sellToken,
    amount,
    buyToken,
    minimumOut,
    routes: [{ sellToken, buyToken, swap }],
  });
  return depositResult(context, { note, token: buyToken, amount: bought });
}

/** Approves a deposit to the caller, and returns the felts that announce the deposit. */
export function depositResult(
  context: CallContext,
  {
    note,
    token,
    amount,
  }: { readonly note: bigint; readonly token: bigint; readonly amount: bigint },
): bigint[] {
  context.call(token, 'approve', [context.caller, ...u256Felts(amount)]);
  return [1n, note, token, amount];
}
