import { beforeEach, describe, expect, it } from '@jest/globals';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { boundsFor } from '../../src/domain/resource-bounds.js';
import { FakeChain, FakeNodeDown } from '../../src/testing/fake-chain.js';
import { FakeSigner } from '../../src/testing/fake-signer.js';

const LANE = toFelt('0x1a4e');
const OTHER = toFelt('0x1a4f');
const PRICES = { l2GasFri: 10_000_000_000n, l1GasFri: 1n, l1DataGasFri: 1n };
const BOUNDS = boundsFor({ l2Gas: 1_000n, l1Gas: 0n, l1DataGas: 0n, priceMultiplier: 3n }, PRICES);

describe('FakeChain', () => {
  const signer = new FakeSigner();
  let chain: FakeChain;
  beforeEach(() => {
    chain = new FakeChain();
  });

  const sent = async (account: Felt, nonce: bigint, argument = 0n): Promise<Felt> => {
    const call = await signer.hashCall(
      { to: toFelt('0x1'), entrypoint: 'withdraw' },
      Felts.of([argument]),
    );
    const { hash, bytes } = await signer.signCall(call, { account, nonce, bounds: BOUNDS });
    await chain.send(bytes);
    return hash;
  };
  const stateOf = async (account: Felt): Promise<unknown> =>
    (await chain.head([account])).accounts.get(account);

  describe('rollback', () => {
    it('rollback removes the transactions from the node until they are delivered again', async () => {
      const before = await stateOf(LANE);
      const hashes = [await sent(LANE, 0n), await sent(LANE, 1n)];
      chain.includeAll();
      expect(chain.included).toEqual(hashes);
      chain.rollback(0);
      expect(await stateOf(LANE)).toEqual(before);
      expect(chain.included).toEqual([]);
      expect(await chain.consumerOf(LANE, 0n)).toBeNull();
      expect(await chain.transactionStatuses(hashes)).toEqual([
        { kind: 'unknown' },
        { kind: 'unknown' },
      ]);
      for (const hash of hashes) expect(chain.deliver(hash)).toEqual({ kind: 'taken' });
      chain.includeAll({ execution: 'REVERTED' });
      expect(chain.included).toEqual(hashes);
      expect(await chain.transactionStatuses(hashes)).toMatchObject([
        { execution: 'REVERTED' },
        { execution: 'REVERTED' },
      ]);
    });

    it('rollback can return the undone transactions to the mempool', async () => {
      const hashes = [await sent(LANE, 0n), await sent(LANE, 1n)];
      chain.include(hashes[0] ?? LANE);
      chain.preConfirm(hashes[1] ?? LANE);
      chain.rollback(0, 'waiting');
      expect(await chain.transactionStatuses(hashes)).toEqual([
        { kind: 'waiting' },
        { kind: 'waiting' },
      ]);
    });

    it('rollback allows a transaction that had lost its nonce to be included', async () => {
      const lost = await sent(LANE, 0n, 1n);
      const foreign = chain.includeForeign(LANE);
      expect(await chain.consumerOf(LANE, 0n)).toBe(foreign);
      chain.rollback(0);
      chain.deliver(lost);
      chain.include(lost);
      expect(await chain.consumerOf(LANE, 0n)).toBe(lost);
    });

    it('rollback changes no lower blocks, and new blocks get different hashes than the undone blocks', async () => {
      chain.mine(3);
      const hashes = await Promise.all([1, 2, 3].map(async (number) => chain.blockHash(number)));
      chain.rollback(1);
      expect(await chain.blockHash(2)).toBeNull();
      chain.mine(2);
      expect(await chain.blockHash(1)).toBe(hashes[0]);
      expect([await chain.blockHash(2), await chain.blockHash(3)]).not.toEqual(hashes.slice(1));
    });

    it('rollback rejects a height that is below the height at ACCEPTED_ON_L1', async () => {
      chain.mine(3);
      chain.acceptOnL1(2);
      expect(() => chain.rollback(1)).toThrow('ACCEPTED_ON_L1');
      chain.rollback(2);
      expect((await chain.head([])).l1BlockNumber).toBe(2);
    });
  });

  it('FakeChain creates equal block hashes in every run', async () => {
    const genesis = await chain.blockHash(0);
    expect(await new FakeChain().blockHash(0)).toBe(genesis);
    expect(await new FakeChain({ name: 'started again' }).blockHash(0)).not.toBe(genesis);
  });

  it('FakeChain reports a new chain id after the test has set it', async () => {
    chain.setChainId(toFelt('0x2'));
    expect((await chain.head([])).chainId).toBe('0x2');
  });

  it('FakeChain changes an account’s nonce without transactions, and can change it back', async () => {
    chain.jump(LANE, 1_000_000n);
    expect(await stateOf(LANE)).toMatchObject({ nonce: 1_000_000n });
    expect(await chain.consumerOf(LANE, 7n)).toBeNull();
    chain.jump(LANE, -1_000_000n);
    expect(await stateOf(LANE)).toMatchObject({ nonce: 0n });
  });

  it('only the hashes, accounts and blocks that the test has marked as unreadable can not be read from FakeChain', async () => {
    const [first, second] = [await sent(LANE, 0n), await sent(OTHER, 0n)];
    chain.includeAll();
    for (const what of [first, LANE, 1]) chain.unreadable(what);
    expect((await chain.transactionStatuses([first, second])).map(({ kind }) => kind)).toEqual([
      'unread',
      'accepted',
    ]);
    expect([...(await chain.head([LANE, OTHER])).accounts.keys()]).toEqual([OTHER]);
    await expect(chain.blockHash(1)).rejects.toBeInstanceOf(FakeNodeDown);
    await expect(chain.transactions([OTHER], 0, 2)).rejects.toBeInstanceOf(FakeNodeDown);
    await expect(chain.consumerOf(LANE, 0n)).rejects.toBeInstanceOf(FakeNodeDown);
    for (const what of [first, LANE, 1]) chain.unreadable(what, false);
    expect((await chain.transactions([LANE, OTHER], 0, 2)).sent).toHaveLength(2);
  });

  it('FakeChain rejects transactions of an account while the account has a problem', async () => {
    const call = await signer.hashCall({ to: toFelt('0x1'), entrypoint: 'withdraw' }, Felts.of([]));
    const { hash, bytes } = await signer.signCall(call, {
      account: LANE,
      nonce: 0n,
      bounds: BOUNDS,
    });
    chain.accountProblem(LANE, 'WRONG_KEY');
    expect(await chain.send(bytes)).toEqual({
      kind: 'refused',
      code: 'VALIDATION_FAILURE',
      cause: 'account',
    });
    expect(chain.mayLand.has(hash)).toBe(false);
    chain.accountProblem(LANE, null);
    chain.refuse(LANE, 'NON_ACCOUNT');
    expect(await chain.problemOf(LANE)).toBeNull();
    expect(await chain.send(bytes)).toMatchObject({ code: 'NON_ACCOUNT' });
    chain.refuse(LANE, null);
    expect(await chain.send(bytes)).toEqual({ kind: 'taken' });
  });

  it('FakeChain returns the calls of a foreign transaction if the test has set them, otherwise null', async () => {
    const calls = [
      { target: { to: toFelt('0x1'), entrypoint: 'withdraw' }, calldata: Felts.of([1n]) },
    ];
    chain.includeForeign(LANE);
    chain.includeForeign(LANE, { calls, execution: 'REVERTED' });
    const { sent: shown } = await chain.transactions([LANE], 1, 2);
    expect(shown.map((each) => each.calls)).toEqual([null, calls]);
    expect(shown[1]?.consumer.execution).toBe('REVERTED');
  });
});
