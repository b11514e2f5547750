import { createHash } from 'node:crypto';
import { toFelt, type Felt, type Felts } from '@sotto/kernel';
import type { SignedTransaction } from '../domain/events.js';
import { worstCaseFri } from '../domain/resource-bounds.js';
import type { CallTarget } from '../domain/rows.js';
import type {
  HashedCall,
  SigningRequest,
  TransactionSigner,
} from '../ports/transaction-signer.port.js';
import { encodeFakeTransaction, hexOf } from './fake-transaction.js';
import { calldataText } from './kept-bytes.js';

/**
 * Signs nothing, but gives every distinct transaction its own hash, and bytes that {@link
 * FakeChain} takes.
 */
export class FakeSigner implements TransactionSigner {
  readonly #accounts: ReadonlySet<Felt> | null;

  /** @param accounts whose keys it holds. @default every account's */
  constructor(accounts?: readonly Felt[]) {
    this.#accounts = accounts === undefined ? null : new Set(accounts);
  }

  async hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall> {
    return {
      target,
      calldata,
      calldataHash: digest(target.to, target.entrypoint, hexOf(calldata)),
    };
  }

  async signCall(call: HashedCall, request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(call.calldataHash, { target: call.target, calldata: call.calldata }, request);
  }

  async calldataText(calldata: Felts): Promise<Uint8Array> {
    return calldataText(calldata);
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(digest('noop'), null, request);
  }

  #sign(
    calldataHash: bigint,
    call: Pick<HashedCall, 'target' | 'calldata'> | null,
    { account, nonce, bounds }: SigningRequest,
  ): SignedTransaction {
    if (this.#accounts?.has(account) === false) throw new Error('no key is held for the account');
    const { l2Gas, l1Gas, l1DataGas, tipFri } = bounds;
    const amounts = [l2Gas, l1Gas, l1DataGas].flatMap((bound) => [
      bound.maxAmount,
      bound.maxPriceFri,
    ]);
    const hash = toFelt(digest(calldataHash, account, nonce, tipFri, ...amounts));
    const bytes = encodeFakeTransaction({
      hash,
      account,
      nonce,
      l2MaxPriceFri: l2Gas.maxPriceFri,
      tipFri,
      worstCaseFri: worstCaseFri(bounds),
      calls: call === null ? [] : [call],
    });
    // The call's calldata is the end of the text.
    const calldataAt =
      call === null
        ? null
        : { start: bytes.length - calldataText(call.calldata).length, end: bytes.length };
    return { hash, bounds, bytes, calldataAt };
  }
}

/** 248 bits, so that it always is a felt. */
function digest(...parts: readonly (string | bigint)[]): bigint {
  return BigInt(`0x${createHash('sha256').update(parts.join('|')).digest('hex').slice(2)}`);
}
