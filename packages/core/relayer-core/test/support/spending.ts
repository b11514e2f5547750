import { FakeUpstreamDown, ManualClock } from '@sotto/kernel/testing';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import type {
  AccountTransaction,
  CallTarget,
  ChainReader,
  Ledger,
  NonceConsumer,
} from '@sotto/submission-core';
import { InMemoryLedger, aBlock, took } from '@sotto/submission-core/testing';
import {
  AdoptOutcome,
  RelayedCalls,
  SpentNotes,
  type SpentNotesSettings,
} from '../../src/index.js';
import { FakePoolEvents, WITHDRAWAL_LIMITS } from '../../src/testing/index.js';

const HEAD = {
  chainId: toFelt('0x1'),
  blockNumber: 1_000_000,
  blockHash: aBlock(1_000_000).hash,
  timestamp: 0,
  gasPrices: { l2GasFri: 1n, l1GasFri: 1n, l1DataGasFri: 1n },
  l1BlockNumber: null,
};
/** Lane account of this service. */
const OUR_LANE = toFelt('0x1a2e');

/** Call that is on chain in its own transaction. */
export interface SentCall {
  readonly hash: Felt;
  readonly target: CallTarget;
  readonly calldata: Felts;
  readonly sender?: Felt;
  readonly nonce?: bigint;
  readonly consumer?: Partial<NonceConsumer>;
}

let names = 0;

/**
 * Creates blocks with spent notes, and the lookup of the spending transactions. The lookup does not
 * use the clock of the blocks, so the test decides when a lookup times out.
 */
export function aSpendingWorld(
  policy: Pick<ConstructorParameters<typeof RelayedCalls>[0], 'chainId' | 'pools' | 'swapPool'>,
  {
    ledger = new InMemoryLedger(),
    ...settings
  }: Partial<SpentNotesSettings> & { readonly ledger?: Pick<Ledger, 'apply'> } = {},
) {
  const clock = new ManualClock();
  const spenders = new FakePoolEvents();
  const sent = new Map<Felt, AccountTransaction>();
  const calls = new RelayedCalls({
    ...policy,
    privacyPools: [],
    limits: WITHDRAWAL_LIMITS,
    newId: () => {
      names += 1;
      return `adopted-${names}`;
    },
  });
  const history = {
    transaction: async (
      hash: Felt,
      accounts: readonly Felt[],
    ): Promise<AccountTransaction | null> => {
      const transaction = sent.get(hash);
      if (transaction === undefined) throw new FakeUpstreamDown('no such transaction');
      return accounts.includes(transaction.sender) ? transaction : null;
    },
  };
  /** Includes a call in a block. */
  const include = ({
    hash,
    target,
    calldata,
    sender = OUR_LANE,
    nonce = 0n,
    consumer = {},
  }: SentCall): AccountTransaction => {
    const transaction = {
      sender,
      nonce,
      consumer: took(hash, consumer),
      calls: [{ target, calldata }],
    };
    sent.set(hash, transaction);
    return transaction;
  };
  /** Lets a transaction of a stranger spend the note. */
  const spentByAnother = (spent: Felt, nullifierHash: bigint): void => {
    const hash = toFelt('0x57a6');
    const target = { to: spent, entrypoint: 'withdraw' };
    include({ hash, target, calldata: Felts.of([]), sender: toFelt('0x57a') });
    spenders.setSpender(spent, nullifierHash, hash);
  };
  const undone = new Set<number>();
  let isDown = false;
  const reader: Pick<ChainReader, 'head' | 'confirm'> = {
    head: async () => ({ ...HEAD, accounts: new Map() }),
    confirm: async (first) => {
      if (isDown) throw new FakeUpstreamDown('no closing read');
      return {
        first,
        last: first,
        blocks: new Map([
          [first.number, first.hash],
          ...[...sent.values()].flatMap(({ consumer: { block } }) =>
            undone.has(block.number) ? [] : [[block.number, block.hash] as const],
          ),
        ]),
        l1BlockNumber: null,
      };
    },
  };
  const adoptOutcome = new AdoptOutcome(calls, ledger, reader);
  /** Creates another instance, or the same instance after a restart. */
  const another = (): SpentNotes =>
    new SpentNotes(
      { events: spenders, history, adoptOutcome, clock },
      { accounts: [OUR_LANE], ...settings },
    );
  return {
    clock,
    spenders,
    history,
    calls,
    include,
    spentByAnother,
    adoptOutcome,
    /** Removes the node’s block at this height. With false, the block is on the chain again. */
    undo: (number: number, isUndone = true): void => {
      if (isUndone) undone.add(number);
      else undone.delete(number);
    },
    failConfirming: (fails: boolean): void => {
      isDown = fails;
    },
    another,
    spentNotes: another(),
  };
}
