import type { Felt, Felts } from '@sotto/kernel';
import type { SignedTransaction } from '../domain/events.js';
import type { CallTarget } from '../domain/rows.js';
import type {
  HashedCall,
  SigningRequest,
  TransactionSigner,
} from '../ports/transaction-signer.port.js';
import { encodeFakeTransaction, fakeCallText, hashOf } from './fake-transaction.js';

/**
 * Creates a unique hash for every distinct transaction. The bytes contain no real signature, and
 * {@link FakeChain} accepts them.
 */
export class FakeSigner implements TransactionSigner {
  readonly #accounts: ReadonlySet<Felt> | null;

  /** @param accounts accounts whose key the signer has. @default every account */
  constructor(accounts?: readonly Felt[]) {
    this.#accounts = accounts === undefined ? null : new Set(accounts);
  }

  async hashCall(target: CallTarget, calldata: Felts): Promise<HashedCall> {
    const calldataHash = BigInt(hashOf(fakeCallText({ target, calldata })));
    return { target, calldata, calldataHash };
  }

  async signCall(call: HashedCall, request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(call, request);
  }

  async calldataText(target: CallTarget, calldata: Felts): Promise<Uint8Array> {
    return new TextEncoder().encode(fakeCallText({ target, calldata }));
  }

  async signNoop(request: SigningRequest): Promise<SignedTransaction> {
    return this.#sign(null, request);
  }

  #sign(
    call: Pick<HashedCall, 'target' | 'calldata'> | null,
    request: SigningRequest,
  ): SignedTransaction {
    if (this.#accounts?.has(request.account) === false)
      throw new Error('no key is held for the account');
    const bytes = encodeFakeTransaction(request, call);
    const { length } = bytes;
    const calldataAt =
      call === null ? null : { start: length - fakeCallText(call).length, end: length };
    return {
      hash: hashOf(new TextDecoder().decode(bytes)),
      bounds: request.bounds,
      bytes,
      calldataAt,
    };
  }
}
