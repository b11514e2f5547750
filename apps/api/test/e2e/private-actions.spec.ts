import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld, type PrivateRequest } from '@sotto/sandbox';
import { Signer, selector, stark } from 'starknet';
import { ONE, PrivateWallet, SPONSOR_KEY, privateStack } from './support/private-actions.js';
import type { Stack } from './support/stack.js';
import { vector } from './support/withdrawals.js';

const { accounts, tokens, privacyPool } = sandboxWorld;
const STRK: bigint = tokens.STRK.address;
const USDC: bigint = tokens.USDC.address;
const RELAYER = BigInt(vector.relayer);
const RECIPIENT = 0x7e57n;
/** Fee above the cost of every transaction here. */
const FEE = { token: STRK, amount: ONE };

const errorOf = (response: unknown) => Object(response).error;
const resultOf = (response: unknown) => Object(response).result;

/** Changes the paid amount after the proof. */
const tampered = ({ calldata, ...rest }: PrivateRequest): PrivateRequest => ({
  ...rest,
  calldata: calldata.map((felt) => (felt === toFelt(ONE) ? toFelt(ONE + 1n) : felt)),
});

describe('private actions of the network’s own pool', () => {
  let stack: Stack;
  let wallet: PrivateWallet;
  beforeAll(async () => {
    stack = await privateStack();
    wallet = new PrivateWallet(stack, 'private-actions');
    await stack.service.ready();
  });
  afterAll(() => stack.stop());

  const balanceOf = (owner: bigint, token = STRK): Promise<bigint> =>
    stack.chain.balanceOf(token, owner);
  const withdrawal = (amount = 5n * ONE, fee = FEE): Promise<PrivateRequest> =>
    wallet.prover.withdraw({
      payments: [{ to: RECIPIENT, token: STRK, amount }],
      fee: wallet.feeOf(fee),
    });
  const withFee = (amount: bigint, to = RELAYER, token = STRK): Promise<PrivateRequest> =>
    wallet.prover.withdraw({
      payments: [{ to: RECIPIENT, token: STRK, amount: ONE }],
      fee: { to, token, amount },
    });
  const sent = (): number => stack.chain.inclusions().length;

  it('a wallet withdraws over the paymaster with the fee that it built', async () => {
    expect(resultOf(await wallet.call('paymaster_isAvailable', {}))).toBe(true);
    const [earned, paid] = [await balanceOf(RELAYER), await balanceOf(RECIPIENT)];
    const fee = await wallet.build();
    expect(fee.recipient).toBe(RELAYER);
    const request = await wallet.prover.withdraw({
      payments: [{ to: RECIPIENT, token: STRK, amount: 5n * ONE }],
      fee: wallet.feeOf(fee),
    });
    const executed = resultOf(await wallet.execute(request));
    expect(executed.transaction_hash).toMatch(/^0x[1-9a-f]/);
    expect((await balanceOf(RELAYER)) - earned).toBe(fee.amount);
    expect((await balanceOf(RECIPIENT)) - paid).toBe(5n * ONE);

    const before = sent();
    expect(resultOf(await wallet.execute(request))).toEqual(executed);
    expect(sent()).toBe(before);
    await eventually('the transaction to be accepted', async () => {
      const { tracking_id } = executed;
      const tracked = resultOf(
        await wallet.call('paymaster_trackingIdToLatestHash', { tracking_id }),
      );
      expect(tracked.transaction_hash).toBe(executed.transaction_hash);
      return tracked.status === 'accepted';
    });
    // The income covers the cost of the transaction.
    const [inclusion] = stack.chain.inclusions();
    expect(fee.amount).toBeGreaterThan(inclusion?.feeFri ?? 0n);
  });

  it('a fee is paid in another token', async () => {
    const fee = await wallet.build(USDC);
    const earned = await balanceOf(RELAYER, USDC);
    const request = await withdrawal(ONE, fee);
    const answer = await wallet.send(request);
    expect(Object(answer.body).execution_status).toBe('SUCCEEDED');
    expect((await balanceOf(RELAYER, USDC)) - earned).toBe(fee.amount);
  });

  it('registrations, transfers and swaps are relayed', async () => {
    const { prover } = wallet;
    const fee = wallet.feeOf(FEE);
    const transfer = await prover.transfer({ token: STRK, fee });
    const swap = await prover.swap({
      sellToken: STRK,
      sellAmount: ONE,
      buyToken: USDC,
      fee,
    });
    const register = await prover.register(0xabcn);
    expect(Object((await wallet.send(transfer)).body).execution_status).toBe('SUCCEEDED');
    expect(Object((await wallet.send(swap)).body).execution_status).toBe('SUCCEEDED');
    // A registration has no balance that could pay, so a sponsor pays.
    const feeMode = { mode: 'sponsored' };
    const executed = await wallet.execute(register, { feeMode, key: SPONSOR_KEY });
    expect(resultOf(executed)?.transaction_hash).toMatch(/^0x[1-9a-f]/);
  });

  it('a user deposits with a signed approval in the same transaction', async () => {
    const user = accounts.depositor;
    const amount = 10_000n;
    const { address: wbtc } = tokens.WBTC;
    const approval = {
      to: toFelt(wbtc),
      selector: selector.getSelectorFromName('approve'),
      calldata: [toFelt(privacyPool.address), toFelt(amount), '0x0'],
    };
    const { fee, typedData } = await wallet.buildInvoke(user.address, [approval]);
    const request = await wallet.prover.deposit({
      user: user.address,
      token: wbtc,
      amount,
      fee: wallet.feeOf(fee),
    });
    const signer = new Signer(toFelt(user.privateKey));
    const signature = stark.formatSignature(
      await signer.signMessage(typedData, toFelt(user.address)),
    );
    const invoke = { user_address: toFelt(user.address), typed_data: typedData, signature };
    const forged = { ...invoke, signature: ['0x1', '0x2'] };
    const before = await balanceOf(user.address, wbtc);
    const lane = await stack.chain.lane();
    expect(errorOf(await wallet.executeInvoke(request, forged)).code).toBe(156);
    expect(await stack.chain.lane()).toEqual(lane);
    const executed = resultOf(await wallet.executeInvoke(request, invoke));
    expect(executed?.transaction_hash).toMatch(/^0x[1-9a-f]/);
    expect(before - (await balanceOf(user.address, wbtc))).toBe(amount);
    expect(resultOf(await wallet.executeInvoke(request, invoke))).toEqual(executed);
  });

  it('a proof of the same actions at another block is the same submission', async () => {
    const notes = [900, 901];
    const payments = [{ to: RECIPIENT, token: STRK, amount: ONE }];
    const fee = wallet.feeOf(FEE);
    const first = await wallet.prover.withdraw({ payments, fee }, { notes });
    const head = first.baseBlock.number;
    const older = await wallet.prover.withdraw({ payments, fee }, { notes, baseBlock: head - 1 });
    const answer = await wallet.send(first);
    const before = sent();
    const again = await wallet.send(older);
    expect(again.headers.get('location')).toBe(answer.headers.get('location'));
    expect(again.body).toEqual(answer.body);
    expect(sent()).toBe(before);
  });

  it('a dry run reports the checks and sends nothing', async () => {
    const before = sent();
    const request = await withdrawal();
    const good = await wallet.send(request, {}, '?dryRun=true');
    expect(Object(good.body).admissible).toBe(true);
    const bad = await wallet.send({ ...request, poolAddress: toFelt(1n) }, {}, '?dryRun=true');
    expect(Object(bad.body).admissible).toBe(false);
    expect(sent()).toBe(before);
  });

  describe('requests that are rejected cost no gas', () => {
    it.each([
      ['tampered actions', async () => tampered(await withFee(2n * ONE)), 'PROOF_FACTS_MISMATCH'],
      ['a fee to another address', () => withFee(ONE, 0xbadn), 'PRIVATE_ACTION_FEE_MISSING'],
      ['a fee that is too low', () => withFee(ONE / 10n), 'FEE_TOO_LOW'],
      [
        'a wrong pool',
        async () => ({ ...(await withdrawal()), poolAddress: toFelt(0x123n) }),
        'POOL_NOT_SUPPORTED',
      ],
      [
        'stale facts',
        () =>
          wallet.prover.withdraw(
            { payments: [{ to: RECIPIENT, token: STRK, amount: ONE }], fee: wallet.feeOf(FEE) },
            { changeFacts: (facts) => facts.with(5, 0xbadn) },
          ),
        'PROOF_BASE_BLOCK_UNKNOWN',
      ],
      [
        'a proof of another network',
        () =>
          wallet.prover.withdraw(
            { payments: [{ to: RECIPIENT, token: STRK, amount: ONE }], fee: wallet.feeOf(FEE) },
            { changeFacts: (facts) => facts.with(6, 0xbadn) },
          ),
        'PROOF_OF_ANOTHER_NETWORK',
      ],
      [
        'an unknown program',
        () =>
          wallet.prover.withdraw(
            { payments: [{ to: RECIPIENT, token: STRK, amount: ONE }], fee: wallet.feeOf(FEE) },
            { changeFacts: (facts) => facts.with(2, 0xbadn) },
          ),
        'SIMULATION_REVERTED',
      ],
      ['no proof', async () => ({ ...(await withdrawal()), proof: '' }), 'PROOF_MISSING'],
    ])('%s', async (_what, make, code) => {
      const request = await make();
      const before = await stack.chain.lane();
      const { body } = await wallet.send(request);
      expect(Object(body).code).toBe(code);
      expect(await stack.chain.lane()).toEqual(before);
    });

    it('a wrong selector, decimal felts and an unknown type get the errors of SNIP-29', async () => {
      const request = await withdrawal();
      expect(errorOf(await wallet.execute(request, { selector: toFelt(1n) })).code).toBe(162);
      const decimal = {
        ...request,
        calldata: request.calldata.map((felt) => String(BigInt(felt))),
      };
      expect(errorOf(await wallet.execute(decimal)).code).toBe(-32_602);
      const wrong = { ...request, poolAddress: toFelt(0x123n) };
      expect(errorOf(await wallet.execute(wrong)).code).toBe(161);
      const feeMode = { mode: 'sponsored' };
      expect(errorOf(await wallet.execute(request, { feeMode })).code).toBe(163);
      expect(errorOf(await wallet.execute(await withFee(1n))).code).toBe(154);
      expect(errorOf(await wallet.execute(await withFee(ONE, 0xbadn))).code).toBe(165);
      expect(errorOf(await wallet.call('paymaster_unknown', {})).code).toBe(-32_601);
    });

    it('an expired proof, a paused pool and an upgraded pool are rejected', async () => {
      const { control } = stack.chain;
      const request = await withdrawal();
      const before = await stack.chain.lane();
      control.setPrivacyPool({ validityBlocks: 12 });
      expect(Object((await wallet.send(request)).body).code).toBe('PROOF_EXPIRED');
      control.setPrivacyPool({ validityBlocks: 450, isPaused: true });
      expect(Object((await wallet.send(request)).body).code).toBe('PRIVACY_POOL_PAUSED');
      control.setPrivacyPool({ isPaused: false });
      control.replaceClass(privacyPool.address, privacyPool.classes.next);
      expect(Object((await wallet.send(request)).body).code).toBe('PROOF_FACTS_MISMATCH');
      expect(await stack.chain.lane()).toEqual(before);
      control.replaceClass(privacyPool.address, privacyPool.classes.current);
      expect(Object((await wallet.send(request)).body).execution_status).toBe('SUCCEEDED');
    });
  });

  it('the fee of the pool is approved in the transaction and paid by the user', async () => {
    const { control } = stack.chain;
    control.setPrivacyPool({ feeFri: ONE / 2n });
    // The service reads the pool's fee for quotes every few seconds.
    await eventually('the built fee to contain the fee of the pool', async () => {
      return (await wallet.build()).amount > ONE;
    });
    const fee = await wallet.build();
    const collected = await balanceOf(privacyPool.feeCollector);
    const request = await withdrawal(ONE, fee);
    expect(resultOf(await wallet.execute(request))?.transaction_hash).toMatch(/^0x[1-9a-f]/);
    expect((await balanceOf(privacyPool.feeCollector)) - collected).toBe(ONE / 2n);
    const low = await withdrawal(ONE, { token: STRK, amount: (ONE * 4n) / 5n });
    expect(Object((await wallet.send(low)).body).code).toBe('FEE_TOO_LOW');
    control.setPrivacyPool({ feeFri: 0n });
  });

  it('logs and the ledger contain no actions, proofs and keys after the end', async () => {
    const request = await withdrawal();
    await wallet.send(request);
    const secret = request.proofFacts[8] ?? '';
    for (const text of [secret, request.proof, SPONSOR_KEY])
      expect(stack.service.output).not.toContain(text);
  });

  it('the list of pools contains the privacy pool', async () => {
    const { body } = await stack.service.get('/api/relayer/pools');
    expect(Object(body).privacyPools).toMatchObject([
      { key: 'strk20', address: toFelt(privacyPool.address), version: '2.0', accepting: true },
    ]);
  });
});
