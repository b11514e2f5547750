import { Revert, type CallContext, type Entrypoint } from '../engine/contract.js';
import { poseidonOf, selectorOf } from '../engine/felt.js';
import { PUBLIC_KEY, isSignedBy } from '../engine/signature.js';
import { Arguments, boolFelt, shortStringFelt } from './calldata.js';
import { snip12Hash } from './snip12.js';

interface OutsideCall {
  readonly to: bigint;
  readonly selector: bigint;
  readonly calldata: readonly bigint[];
}

/** Calls that an account's owner permits another account to send. Times are Unix seconds. */
interface OutsideExecution {
  readonly caller: bigint;
  readonly nonce: bigint;
  readonly executeAfter: bigint;
  readonly executeBefore: bigint;
  readonly calls: readonly OutsideCall[];
}

/** Id of the interface of SNIP-9, version 2. */
export const OUTSIDE_EXECUTION_INTERFACE =
  0x1d1144bb2138366ff28d8e9ab57456b1d332ac42196230c3a602003c89872n;

const ANY_CALLER = shortStringFelt('ANY_CALLER');
const CALL_TYPE_TEXT = '"Call"("To":"ContractAddress","Selector":"selector","Calldata":"felt*")';
const CALL_TYPE = selectorOf(CALL_TYPE_TEXT);
const MESSAGE_TYPE = selectorOf(
  `"OutsideExecution"("Caller":"ContractAddress","Nonce":"felt","Execute After":"u128","Execute Before":"u128","Calls":"Call*")${CALL_TYPE_TEXT}`,
);
const DOMAIN_VERSION = 2n;
/** L2 gas to hash the calls and to verify a signature. */
const OUTSIDE_L2_GAS = 1_000_000n;

/**
 * Runs calls of this account that its owner has signed (SNIP-9, version 2). The rules and revert
 * texts are those of OpenZeppelin's account.
 */
export const executeFromOutside: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const execution = readExecution(args);
  const signature = args.span();
  args.end();
  context.useL2Gas(OUTSIDE_L2_GAS);

  const { caller, nonce, executeAfter, executeBefore, calls } = execution;
  const now = BigInt(context.block.timestampSeconds);
  if (caller !== ANY_CALLER && caller !== context.caller) throw new Revert('SRC9: invalid caller');
  if (now <= executeAfter) throw new Revert('SRC9: now <= execute_after');
  if (now >= executeBefore) throw new Revert('SRC9: now >= execute_before');
  if (context.get(nonceKey(nonce)) !== 0n) throw new Revert('SRC9: duplicated nonce');
  context.set(nonceKey(nonce), 1n);
  if (!isSignedBy(context.get(PUBLIC_KEY), hashOf(context, execution), signature))
    throw new Revert('SRC9: invalid signature');
  const results = calls.map(({ to, selector, calldata: data }) =>
    context.callBySelector(to, selector, data),
  );
  return [
    BigInt(results.length),
    ...results.flatMap((result) => [BigInt(result.length), ...result]),
  ];
};

/** Returns true if no execution has used a nonce. */
export const isValidOutsideExecutionNonce: Entrypoint = (context, calldata) => {
  const args = new Arguments(calldata);
  const nonce = args.felt();
  args.end();
  return [boolFelt(context.get(nonceKey(nonce)) === 0n)];
};

function readExecution(args: Arguments): OutsideExecution {
  return args.compound(() => ({
    caller: args.address(),
    nonce: args.felt(),
    executeAfter: args.u64(),
    executeBefore: args.u64(),
    calls: args.array(() => ({
      to: args.address(),
      selector: args.felt(),
      calldata: args.span(),
    })),
  }));
}

function hashOf(context: CallContext, execution: OutsideExecution): bigint {
  const { caller, nonce, executeAfter, executeBefore, calls } = execution;
  const hashes = calls.map(({ to, selector, calldata }) =>
    poseidonOf([CALL_TYPE, to, selector, poseidonOf(calldata)]),
  );
  return snip12Hash({
    name: 'Account.execute_from_outside',
    version: DOMAIN_VERSION,
    chainId: context.chainId,
    signer: context.self,
    content: poseidonOf([
      MESSAGE_TYPE,
      caller,
      nonce,
      executeAfter,
      executeBefore,
      poseidonOf(hashes),
    ]),
  });
}

function nonceKey(nonce: bigint): string {
  return `outside_execution_nonce:${nonce.toString(16)}`;
}
