import { Felts, type Felt } from '@sotto/kernel';
import { boundsFor, type Attempt, type Ledger, type Recorded, type SignedTransaction } from '../../src/index.js';
import { FakeSigner } from '../../src/testing/index.js';
import { LANE, submission, type World } from '../unit/world.js';

const PRICES = { l2GasFri: 8_000_000_000n, l1GasFri: 20_000_000_000_000n, l1DataGasFri: 1_000_000n };

/** A worker that writes events step by step, as the code of any instance does, and stops wherever the trace wants it to. */
export class Hand {
  fence = 0n;

  constructor(
    private readonly world: World,
    private readonly ledger: Ledger,
    readonly instance: string,
    readonly lane: Felt = LANE,
  ) {}

  async lease(): Promise<void> {
    await this.ledger.registerLane(this.lane, 'relay');
    const lane = await this.ledger.lease(this.lane, this.instance, 15_000);
    if (lane === null) throw new Error('the lane is held by another instance');
    this.fence = lane.fence;
  }

  async accept(key: string): Promise<Attempt> {
    return (await this.world.submit({ key })).attempt;
  }

  sign(key: string, nonce: bigint): Promise<SignedTransaction> {
    const signer = new FakeSigner();
    const { target, limits } = submission();
    return signer
      .hashCall(target, Felts.of([BigInt(key.charCodeAt(0))]))
      .then((call) => signer.signCall(call, { account: this.lane, nonce, bounds: boundsFor(limits, PRICES) }));
  }

  prepare(attempt: Attempt, nonce: bigint, transaction: SignedTransaction, claim = true): Promise<Recorded> {
    return this.ledger.record({ type: 'prepare', ...this.#at(nonce), attempt, transaction, claim, atMs: this.world.clock.nowMs() });
  }

  claim(nonce: bigint, { hash }: SignedTransaction): Promise<Recorded> {
    return this.ledger.record({ type: 'claim', ...this.#at(nonce), hash, atMs: this.world.clock.nowMs() });
  }

  refusal(nonce: bigint, { hash }: SignedTransaction): Promise<Recorded> {
    const atMs = this.world.clock.nowMs();
    return this.ledger.record({ type: 'refusal', ...this.#at(nonce), hash, code: 'VALIDATION_FAILURE', cause: 'call', atMs });
  }

  release(nonce: bigint): Promise<Recorded> {
    return this.ledger.record({ type: 'release', ...this.#at(nonce), to: 'accepted', atMs: this.world.clock.nowMs() });
  }

  /** Claimed or not: the bytes go out. */
  async send({ bytes }: SignedTransaction): Promise<void> {
    await this.world.chain.send(bytes);
  }

  #at(nonce: bigint): { lane: Felt; nonce: bigint; fence: bigint } {
    return { lane: this.lane, nonce, fence: this.fence };
  }
}
