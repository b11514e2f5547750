import { beforeEach, describe, expect, it } from '@jest/globals';
import { toFelt, type Felt } from '@sotto/kernel';
import { BlockGraph } from '../../src/block-graph.js';
import { Chain, FLOOR_FRI, type Block } from '../../src/chain/chain.js';
import { foreignTx } from '../../src/chain/transaction.js';
import { LostLedger, slotOf } from '../../src/lost-ledger.js';
import { Streams } from '../../src/random.js';

const LANE = toFelt('0xa1');
const SENT = foreignTx(LANE, 0n, FLOOR_FRI * 2n, 1);
const CALL = toFelt('0xca11');

describe('LostLedger', () => {
  let chain: Chain;
  let graph: BlockGraph;
  let ledger: LostLedger;
  let nowMs = 0;
  const lose = (isRecognised = false, given: readonly string[] = []): void =>
    ledger.lost({
      by: 'copy',
      isRecognised,
      unknown: new Set([SENT.hash]),
      given: new Set(given),
    });
  const land = (): Block => {
    chain.execute(SENT);
    const block = chain.close();
    graph.closed(block);
    return block;
  };
  const act = (needsComparison = false): boolean => {
    ledger.acted('P1', 'K2', CALL, needsComparison);
    return ledger.excuses(CALL);
  };
  const show = ({ hash }: Block, nonce = 1n): boolean =>
    ledger.shown('P1', hash, new Map<Felt, bigint>([[LANE, nonce]]));

  beforeEach(() => {
    nowMs = 0;
    chain = new Chain({
      accounts: [LANE],
      balanceFri: 10n ** 20n,
      random: new Streams('chain').of('chain'),
      nowMs: () => 0,
    });
    graph = new BlockGraph(chain);
    ledger = new LostLedger(chain, graph, () => nowMs, 1_000);
  });

  it('the simulation excuses a double execution if no check can detect that the ledger is an old copy', () => {
    lose();
    ledger.started('P1');
    expect(act()).toBe(true);
    expect(ledger.excusesKey('K2')).toBe(true);
  });

  it('the simulation excuses no double execution if the store recognised the copied ledger', () => {
    lose(true);
    ledger.started('P1');
    expect(act()).toBe(false);
    ledger.lost({ by: 'empty', isRecognised: false, unknown: new Set(), given: new Set() });
    expect(act()).toBe(false);
  });

  it('the simulation excuses no double execution if the lost transaction was in an accepted block before the process started', () => {
    lose();
    land();
    ledger.started('P1');
    expect(act()).toBe(false);
  });

  it('the simulation excuses a double execution if the lost transaction’s block was undone before any node returned it', () => {
    lose();
    land();
    ledger.started('P1');
    chain.rollBack(1);
    expect(act()).toBe(true);
  });

  it('the simulation excuses no double execution after a node has returned a nonce that the lost ledger consumed', () => {
    lose();
    ledger.started('P1');
    const block = land();
    expect(show(block, 0n)).toBe(false);
    expect(show(block)).toBe(true);
    chain.rollBack(1);
    expect(act()).toBe(false);
  });

  it('a nonce that both ledgers assigned is evidence of the lost ledger only after its settlement', () => {
    lose(false, [slotOf(SENT)]);
    ledger.started('P1');
    expect(show(land())).toBe(false);
    ledger.settled('P1', SENT.hash);
    expect(act()).toBe(false);
  });

  it('the simulation excuses a double execution of an unprotected call only directly after the comparison of all accounts', () => {
    lose();
    ledger.started('P1');
    expect(act(true)).toBe(false);
    ledger.compared('P1');
    nowMs = 1_001;
    expect(act(true)).toBe(false);
    ledger.compared('P1');
    expect(act(true)).toBe(true);
  });
});

describe('BlockGraph', () => {
  it('each fork in the block graph has separate blocks', () => {
    const chain = new Chain({
      accounts: [],
      balanceFri: 0n,
      random: new Streams('chain').of('chain'),
      nowMs: () => 0,
    });
    const graph = new BlockGraph(chain);
    const close = (): Block => {
      const block = chain.close();
      graph.closed(block);
      return block;
    };
    const genesis = chain.head;
    const undone = close();
    chain.rollBack(1);
    const block = close();
    const head = close();
    expect(graph.holds(head.hash, block)).toBe(true);
    expect(graph.holds(head.hash, genesis)).toBe(true);
    expect(graph.holds(head.hash, undone)).toBe(false);
    expect(graph.holds(undone.hash, undone)).toBe(true);
    expect(graph.holds(undone.hash, { ...genesis, number: 1 })).toBe(false);
  });
});
