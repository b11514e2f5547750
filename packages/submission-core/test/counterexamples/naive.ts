import { toFelt, type Felt } from '@sotto/kernel';
import type { Attempt, ChainHead, Decision, SendAnswer, TransactionSighting, View } from '../../src/index.js';
import { decodeFakeTransaction } from '../../src/testing/fake-transaction.js';
import { FakeChain } from '../../src/testing/index.js';

/** (a) A lost answer is taken for a refusal. */
export class TimeoutsAreRefusals extends FakeChain {
  override async send(bytes: Uint8Array): Promise<SendAnswer> {
    const answer = await super.send(bytes);
    return answer.kind === 'unclear' ? { kind: 'refused', code: answer.code, cause: 'funds' } : answer;
  }
}

/** As real nodes do: what stands in a block is answered with 52 when it is sent again. */
export class AnswersNonceTooLow extends FakeChain {
  override async send(bytes: Uint8Array): Promise<SendAnswer> {
    const transaction = decodeFakeTransaction(bytes);
    const isIncluded = transaction !== null && this.takers(transaction.account).some(({ hash }) => hash === transaction.hash);
    return isIncluded ? { kind: 'unclear', code: 'INVALID_TRANSACTION_NONCE' } : super.send(bytes);
  }
}

/** (c'') 52 is taken for a refusal. */
export class NonceTooLowIsRefusal extends AnswersNonceTooLow {
  override async send(bytes: Uint8Array): Promise<SendAnswer> {
    const answer = await super.send(bytes);
    const isTooLow = answer.kind === 'unclear' && answer.code === 'INVALID_TRANSACTION_NONCE';
    return isTooLow ? { kind: 'refused', code: answer.code, cause: 'call' } : answer;
  }
}

/** (f) PRE_CONFIRMED is taken for ACCEPTED_ON_L2. */
export class PreConfirmedIsFinal extends FakeChain {
  override async sightings(hashes: readonly Felt[]): Promise<readonly TransactionSighting[]> {
    if (hashes[0] === NOBODY) return [NOBODYS];
    const sightings = await super.sightings(hashes);
    return sightings.map((sighting) =>
      sighting.kind === 'pre_confirmed' ? { ...sighting, kind: 'accepted', feeFri: 0n, blockNumber: 0 } : sighting,
    );
  }
}

const NOBODY = toFelt('0xdead');

const NOBODYS: TransactionSighting = { kind: 'accepted', execution: 'SUCCEEDED', revertReason: null, feeFri: 0n, blockNumber: 1 };

/** (i) A hash that the node does not know is proof that somebody else took the nonce. */
export class AbsenceIsEvidence extends FakeChain {
  override async sightings(hashes: readonly Felt[]): Promise<readonly TransactionSighting[]> {
    return hashes[0] === NOBODY ? [NOBODYS] : super.sightings(hashes);
  }
  override async takerOf(): Promise<Felt | null> {
    return NOBODY;
  }
}

/** (i') Of a nonce only the last hash is followed. */
export class FollowsLastHashOnly extends FakeChain {
  override async sightings(hashes: readonly Felt[]): Promise<readonly TransactionSighting[]> {
    if (hashes[0] === NOBODY) return [NOBODYS];
    const sightings = await super.sightings(hashes);
    return sightings.map((sighting, index) => (index === hashes.length - 1 ? sighting : { kind: 'unknown' }));
  }
  override async takerOf(): Promise<Felt | null> {
    return NOBODY;
  }
}

/** (n) The account's nonce is read at PRE_CONFIRMED, where so many transactions of a stranger stand that will be undone. */
export class StrangerPreConfirmed extends FakeChain {
  ahead = 0n;
  override async head(accounts: readonly Felt[]): Promise<ChainHead> {
    return withNonces(await super.head(accounts), (nonce) => nonce + this.ahead);
  }
}

/** (d'') Nothing but the rows says how far nonces are. */
export class NonceNeverMoves extends FakeChain {
  override async head(accounts: readonly Felt[]): Promise<ChainHead> {
    return withNonces(await super.head(accounts), () => 0n);
  }
}

function withNonces(head: ChainHead, change: (nonce: bigint) => bigint): ChainHead {
  return { ...head, accounts: new Map([...head.accounts].map(([account, state]) => [account, { ...state, nonce: change(state.nonce) }])) };
}

/** The node refuses all calls for good once a first request was lost on the way; no-ops it takes. */
export class RefusesCalls extends FakeChain {
  override async send(bytes: Uint8Array): Promise<SendAnswer> {
    if (isNoop(bytes)) return super.send(bytes);
    this.script(
      this.sent.length === 0
        ? { answer: { kind: 'unclear', code: 'TIMED_OUT' }, arrives: false }
        : { answer: { kind: 'refused', code: 'VALIDATION_FAILURE', cause: 'call' }, arrives: false },
    );
    return super.send(bytes);
  }
}

/** Bounds of a no-op are a fraction of a call's. */
const isNoop = (bytes: Uint8Array): boolean => (decodeFakeTransaction(bytes)?.worstCaseFri ?? 0n) < 10n ** 18n;

/** The attempt waits again, its nonce has nobody, and its bytes still count as able to land: nobody will take that nonce. */
export function backAtOnce(owner: Attempt | null, { nonce }: View): Decision {
  return {
    written: true,
    writes: {
      nonces: nonce === null ? [] : [{ ...nonce, owner: null }],
      attempts: owner === null ? [] : [{ ...owner, state: 'accepted', lane: null, nonce: null }],
    },
  };
}

/** The view of a nonce that nobody holds. */
export function asIfFree(view: View): View {
  return { ...view, owner: null, nonce: view.nonce === null ? null : { ...view.nonce, owner: null }, transactions: [] };
}
