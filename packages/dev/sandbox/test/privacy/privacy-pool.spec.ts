import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { selectorOf, toHex } from '../../src/engine/felt.js';
import { actionFelts, sandboxWorld, type PrivateRequest } from '../../src/index.js';
import { approval, PrivacyBench, usualWithdrawal } from './privacy-bench.js';

const { accounts, privacyPool, tokens } = sandboxWorld;
const { USDC, STRK, WBTC } = tokens;
const RECIPIENT = accounts.recipient1.address;
const FEE_ADDRESS = accounts.feeCollector.address;

describe('privacy pool', () => {
  let bench: PrivacyBench;
  beforeEach(async () => {
    bench = await PrivacyBench.start();
  });
  afterEach(() => bench.stop());

  const withdrawal = (): Promise<PrivateRequest> => bench.prover().withdraw(usualWithdrawal);
  /** Returns the revert reason of a withdrawal with changed facts. */
  const refusal = async (changeFacts: (facts: bigint[]) => bigint[]): Promise<string> =>
    bench.simulate(await bench.prover().withdraw(usualWithdrawal, { changeFacts }));

  it('the pool serves the views of the contract', () => {
    expect(bench.view('get_version')).toEqual([0x322e30n]);
    expect(bench.view('is_paused')).toEqual([0n]);
    expect(bench.view('get_fee_amount')).toEqual([0n]);
    expect(bench.view('get_fee_collector')).toEqual([privacyPool.feeCollector]);
    expect(bench.view('get_proof_validity_blocks')).toEqual([450n]);
    expect(bench.view('get_screener_public_key')).toEqual([privacyPool.screener.publicKey]);
    expect(bench.view('get_open_note_screening_policy', privacyPool.swap)).toEqual([1n]);
    expect(bench.view('get_open_note_screening_policy', 5n)).toEqual([0n]);
    expect(bench.view('nullifier_exists', 5n)).toEqual([0n]);
  });

  describe('a withdrawal', () => {
    it('pays each recipient and stores its nullifier', async () => {
      const request = await withdrawal();
      expect(await bench.storage(request.writeOnceAddresses)).toEqual(['0x0']);
      const included = await bench.submit(request, [], accounts.depositor);
      expect(included.status).toBe('SUCCEEDED');
      expect(bench.balance(USDC.address, RECIPIENT)).toBe(43n);
      expect(bench.balance(USDC.address, FEE_ADDRESS)).toBe(7n);
      expect(await bench.storage(request.writeOnceAddresses)).toEqual(['0x1']);
      const own = included.events.filter(
        ({ from_address: from }) => from === toHex(privacyPool.address),
      );
      const [nullifier = '0x0'] = own[0]?.keys.slice(1) ?? [];
      expect(bench.view('nullifier_exists', BigInt(nullifier))).toEqual([1n]);
      expect(own.map(({ keys }) => BigInt(keys[0] ?? 0))).toEqual(
        ['NoteUsed', 'Withdrawal', 'Withdrawal'].map(selectorOf),
      );
      expect(own[1]).toMatchObject({
        keys: [expect.any(String), toHex(RECIPIENT), toHex(USDC.address)],
      });
      expect(own[1]?.data).toHaveLength(4);
      expect(own[1]?.data[3]).toBe('0x2b');
    });

    it('uses the gas that devnet charges for it, and a repeated withdrawal nearly as much', async () => {
      const request = await withdrawal();
      const first = await bench.submit(request);
      expect(first.l2Gas).toBeGreaterThan(78_500_000);
      expect(first.l2Gas).toBeLessThan(79_300_000);
      expect(first.dataGas).toBe(384);
      const repeated = await bench.submit(request);
      expect(repeated.l2Gas).toBeGreaterThan(75_900_000);
      expect(repeated.l2Gas).toBeLessThan(76_500_000);
    });

    it('reverts with NON_ZERO_VALUE if its actions were applied, also for another proof', async () => {
      const request = await withdrawal();
      await bench.submit(request);
      expect(await bench.simulate(request)).toContain('NON_ZERO_VALUE');
      expect(await bench.submit(request)).toMatchObject({
        status: 'REVERTED',
        reason: expect.stringContaining('NON_ZERO_VALUE'),
      });
      const proven = await bench.prover('bench 1').withdraw(usualWithdrawal, { baseBlock: 4 });
      expect(proven.proofFacts).not.toEqual(request.proofFacts);
      expect(proven.writeOnceAddresses).toEqual(request.writeOnceAddresses);
      expect(await bench.submit(proven)).toMatchObject({ status: 'REVERTED' });
      expect(bench.balance(USDC.address, RECIPIENT)).toBe(43n);
    });

    it('pays the fee in another token from a second note', async () => {
      const fee = { to: FEE_ADDRESS, token: STRK.address, amount: 9n };
      const request = await bench.prover().withdraw({ payments: usualWithdrawal.payments, fee });
      expect(request.writeOnceAddresses).toHaveLength(2);
      expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
      expect(bench.balance(STRK.address, FEE_ADDRESS)).toBe(9n);
    });

    it('reverts if the pool has too few tokens', async () => {
      const amount = bench.balance(WBTC.address, privacyPool.address) + 1n;
      const request = await bench
        .prover()
        .withdraw({ payments: [{ to: RECIPIENT, token: WBTC.address, amount }] });
      expect((await bench.submit(request)).reason).toContain('Insufficient ERC20 balance');
    });
  });

  it('stores the keys of a registered user', async () => {
    const user = accounts.buyer.address;
    const request = await bench.prover().register(user);
    expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
    const [publicKey] = await bench.storage(request.writeOnceAddresses);
    expect(bench.view('get_public_key', user)).toEqual([BigInt(String(publicKey))]);
    expect((await bench.submit(await bench.prover().register(user))).reason).toContain(
      'NON_ZERO_VALUE',
    );
  });

  it('creates two notes for a transfer and pays its fee', async () => {
    const request = await bench
      .prover()
      .transfer({ token: WBTC.address, fee: { ...usualWithdrawal.fee, token: WBTC.address } });
    const { status, events } = await bench.submit(request);
    expect(status).toBe('SUCCEEDED');
    const created = events.filter(
      ({ keys }) => BigInt(keys[0] ?? 0) === selectorOf('EncNoteCreated'),
    );
    for (const { keys, data } of created)
      expect(bench.view('get_note', BigInt(keys[1] ?? 0))).toEqual([BigInt(data[0] ?? 0), 0n]);
    expect(created).toHaveLength(2);
    expect(bench.balance(WBTC.address, FEE_ADDRESS)).toBe(7n);
  });

  it('appends channels to the recipient’s list', async () => {
    const append = actionFelts.append(RECIPIENT, [1n, 2n, 3n]);
    const request = await bench.prover().prove([actionFelts.writeOnce(99n, 1n), append, append]);
    expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
    expect(bench.view('get_num_of_channels', RECIPIENT)).toEqual([2n]);
  });

  it('writes several values from one address on, and reverts if any slot has a value', async () => {
    const prove = (address: bigint, ...values: readonly bigint[]): Promise<PrivateRequest> =>
      bench.prover().prove([actionFelts.writeOnce(address, ...values)]);
    expect(await bench.submit(await prove(0x500n, 7n, 0n, 9n))).toMatchObject({
      status: 'SUCCEEDED',
    });
    expect(await bench.storage(['0x500', '0x501', '0x502'])).toEqual(['0x7', '0x0', '0x9']);
    expect((await bench.submit(await prove(0x4ffn, 1n, 1n))).reason).toContain('NON_ZERO_VALUE');
    expect((await bench.submit(await prove(0x600n))).reason).toContain('UNEXPECTED_EMPTY_VALUE');
    expect((await bench.submit(await prove(0x600n, 0n, 1n))).reason).toContain(
      'UNEXPECTED_ZERO_VALUE',
    );
  });

  describe('proof facts', () => {
    it('the pool rejects a transaction without proof facts', async () => {
      expect(await refusal(() => [])).toContain('EMPTY_PROOF_FACTS');
    });

    it('the pool rejects facts without exactly one message hash, the one of the actions', async () => {
      const { length } = (await withdrawal()).proofFacts;
      expect(length).toBe(9);
      expect(await refusal((facts) => facts.slice(0, 7))).toContain(
        'PROOF_FACTS_DESERIALIZE_ERROR',
      );
      expect(await refusal((facts) => facts.slice(0, 8))).toContain(
        'PROOF_FACTS_DESERIALIZE_ERROR',
      );
      expect(await refusal((facts) => [...facts, 1n])).toContain('INVALID_PROOF_FACTS');
      expect(await refusal((facts) => [...facts.slice(0, 8), 5n])).toContain('INVALID_PROOF_MSG');
      expect(await refusal((facts) => [...facts.slice(0, 7), 0n])).toContain('INVALID_PROOF_MSG');
    });

    it('the pool rejects changed actions, such as another recipient of the fee', async () => {
      const request = await withdrawal();
      const own = toHex(accounts.crowd1.address);
      const calldata = request.calldata.map((felt) => (felt === toHex(FEE_ADDRESS) ? own : felt));
      expect(calldata).not.toEqual(request.calldata);
      expect((await bench.submit({ ...request, calldata })).reason).toContain('INVALID_PROOF_MSG');
      expect(bench.balance(USDC.address, RECIPIENT)).toBe(0n);
    });

    it('the pool rejects facts after its number of blocks, and accepts them with a longer validity', async () => {
      bench.node.control.setPrivacyPool({ validityBlocks: 20 });
      const request = await withdrawal();
      const last = request.baseBlock.number + 20;
      bench.node.control.mine(last - 1 - bench.node.control.mine());
      expect(await bench.simulate(request)).toBe('succeeds');
      bench.node.control.mine();
      expect(await bench.simulate(request)).toContain('PROOF_EXPIRED');
      expect(await bench.submit(request)).toMatchObject({
        status: 'REVERTED',
        reason: expect.stringContaining('PROOF_EXPIRED'),
      });
      bench.node.control.setPrivacyPool({ validityBlocks: 21 + 10 });
      expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
    });

    it('the pool rejects facts that were proven for another class of the pool', async () => {
      const before = await withdrawal();
      const { address, classes } = privacyPool;
      bench.node.control.replaceClass(address, classes.next);
      expect(await bench.node.result('starknet_getClassHashAt', ['latest', toHex(address)])).toBe(
        toHex(classes.next),
      );
      expect(
        await bench.node.result('starknet_getClassHashAt', [{ block_number: 1 }, toHex(address)]),
      ).toBe(toHex(classes.current));
      expect((await bench.submit(before)).reason).toContain('INVALID_PROOF_MSG');
      expect(await bench.submit(await withdrawal())).toMatchObject({ status: 'SUCCEEDED' });
    });
  });

  it('reverts while it is paused', async () => {
    const request = await withdrawal();
    bench.node.control.setPrivacyPool({ isPaused: true });
    expect(bench.view('is_paused')).toEqual([1n]);
    expect((await bench.submit(request)).reason).toContain('PAUSED');
    bench.node.control.setPrivacyPool({ isPaused: false });
    expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('collects its fee from the caller, who must have approved it', async () => {
    bench.node.control.setPrivacyPool({ feeFri: 1_000n });
    const request = await withdrawal();
    expect((await bench.submit(request)).reason).toContain('Insufficient ERC20 allowance');
    const approve = approval(STRK.address, privacyPool.address, 1_000n);
    expect(await bench.submit(request, [approve])).toMatchObject({ status: 'SUCCEEDED' });
    expect(bench.balance(STRK.address, privacyPool.feeCollector)).toBe(1_000n);
  });

  it('reverts for calldata in another format', async () => {
    const request = await withdrawal();
    const [count = '0x0', ...rest] = request.calldata;
    for (const [calldata, text] of [
      [['0x1', '0xc'], 'Failed to deserialize param #1'],
      [[count, ...rest.slice(0, -1)], 'Failed to deserialize param #2'],
      [[...request.calldata, '0x1'], 'Input too long for arguments'],
    ] as const)
      expect(await bench.simulate({ ...request, calldata })).toContain(text);
  });
});

describe('privacy pool before version 2.0', () => {
  let bench: PrivacyBench;
  beforeEach(async () => {
    bench = await PrivacyBench.start({ privacyPoolVersion: 'before 2.0' });
  });
  afterEach(() => bench.stop());

  it('the older pool has neither the view get_version nor the argument `screening`', async () => {
    expect(() => bench.view('get_version')).toThrow('ENTRYPOINT_NOT_FOUND');
    const request = await bench.prover().withdraw(usualWithdrawal);
    expect(await bench.simulate({ ...request, calldata: [...request.calldata, '0x1'] })).toContain(
      'Input too long for arguments',
    );
    expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('accepts a deposit without an attestation', async () => {
    const order = { user: accounts.buyer.address, token: USDC.address, amount: 5n };
    await bench.approve(accounts.buyer, USDC.address, 5n);
    expect(await bench.submit(await bench.prover().deposit(order))).toMatchObject({
      status: 'SUCCEEDED',
    });
  });
});

describe('privacy pool that does not enforce nullifiers', () => {
  it('applies actions again, so that a second inclusion becomes visible', async () => {
    const bench = await PrivacyBench.start({ enforceNullifier: false });
    try {
      const request = await bench.prover().withdraw(usualWithdrawal);
      for (let count = 0; count < 2; count += 1)
        expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
      expect(bench.balance(USDC.address, RECIPIENT)).toBe(2n * 43n);
    } finally {
      await bench.stop();
    }
  });
});
