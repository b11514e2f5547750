import { Felts, domainError, toFelt, type Felt } from '@sotto/kernel';
import { domainFields, type TypedData } from '../../relay/domain/typed-data.js';
import type { OutsideExecution } from '../../pools/domain/private-action-payload.js';

/**
 * Error for a call of the user's account that can't be executed, because of `details.reason`. The
 * caller signs the call again.
 */
export class OutsideExecutionInvalid extends domainError('OUTSIDE_EXECUTION_INVALID') {}

/** One call of the user's account. */
export interface OutsideCall {
  readonly to: Felt;
  readonly selector: Felt;
  readonly calldata: Felts;
}

/** Calls that the user's account permits (SNIP-9, version 2). Times are Unix times in seconds. */
export interface OutsideCalls {
  /** Account that may send the calls; {@link ANY_CALLER} for every account. */
  readonly caller: Felt;
  readonly nonce: Felt;
  readonly executeAfter: bigint;
  readonly executeBefore: bigint;
  readonly calls: readonly OutsideCall[];
}

/** Calls with the signature of the user's account. */
export interface SignedOutsideCalls extends OutsideCalls {
  readonly account: Felt;
  readonly signature: Felts;
}

/** Value by which an account permits every sender: the short string ANY_CALLER. */
export const ANY_CALLER = toFelt('0x414e595f43414c4c4552');

/** Number of seconds between the admission and the latest inclusion of a transaction. */
const MARGIN_SECONDS = 120n;

/** Encodes the calls and the signature as the calldata of `execute_from_outside_v2`. */
export function encodeOutsideCalls({
  account,
  caller,
  nonce,
  executeAfter,
  executeBefore,
  calls,
  signature,
}: SignedOutsideCalls): OutsideExecution {
  const head = [BigInt(caller), BigInt(nonce), executeAfter, executeBefore, BigInt(calls.length)];
  const encoded = calls.flatMap(({ to, selector, calldata }) => [
    Felts.of([BigInt(to), BigInt(selector), BigInt(calldata.length)]),
    calldata,
  ]);
  return {
    account,
    calldata: Felts.join(
      Felts.of(head),
      ...encoded,
      Felts.of([BigInt(signature.length)]),
      signature,
    ),
  };
}

/**
 * Returns the error for calls that no lane may send, or whose time does not fit. Null if the calls
 * may be sent.
 * @param own accounts and contracts of this service, which are no users
 */
export function outsideCallsRejection(
  { account, caller, executeAfter, executeBefore, calls }: SignedOutsideCalls,
  own: ReadonlySet<Felt>,
  nowMs: number,
): OutsideExecutionInvalid | null {
  const nowSeconds = BigInt(Math.floor(nowMs / 1_000));
  const reason =
    caller !== ANY_CALLER
      ? 'CALLER'
      : own.has(account)
        ? 'ACCOUNT'
        : calls.length === 0
          ? 'NO_CALLS'
          : executeAfter >= nowSeconds
            ? 'NOT_YET'
            : executeBefore < nowSeconds + MARGIN_SECONDS
              ? 'EXPIRES'
              : null;
  return reason === null ? null : new OutsideExecutionInvalid({ details: { reason } });
}

/** Builds the typed data (SNIP-12, revision 1) that the user's account signs. */
export function outsideCallsTypedData(
  { caller, nonce, executeAfter, executeBefore, calls }: OutsideCalls,
  chainId: Felt,
): TypedData {
  return {
    types: {
      StarknetDomain: domainFields(),
      OutsideExecution: [
        { name: 'Caller', type: 'ContractAddress' },
        { name: 'Nonce', type: 'felt' },
        { name: 'Execute After', type: 'u128' },
        { name: 'Execute Before', type: 'u128' },
        { name: 'Calls', type: 'Call*' },
      ],
      Call: [
        { name: 'To', type: 'ContractAddress' },
        { name: 'Selector', type: 'selector' },
        { name: 'Calldata', type: 'felt*' },
      ],
    },
    primaryType: 'OutsideExecution',
    domain: {
      name: 'Account.execute_from_outside',
      version: '2',
      chainId,
      revision: '1',
    },
    message: {
      Caller: caller,
      Nonce: nonce,
      'Execute After': hex(executeAfter),
      'Execute Before': hex(executeBefore),
      Calls: calls.map(({ to, selector, calldata }) => ({
        To: to,
        Selector: selector,
        Calldata: calldata.toHex(),
      })),
    },
  };
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
