import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { selectorOf } from '@sotto/adapter-starknet';
import { u256ToHalves } from '@sotto/kernel';
import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { DevnetChain } from '../support/devnet-chain.js';

const SUCCEEDED = { revertReason: undefined };
const reverts = (text: string) => ({ revertReason: expect.stringContaining(`('${text}')`) });
const UNLIMITED = 2n ** 256n - 1n;
const HOLDER = 0x1234n;

describeOnDevnet('ERC20 token', () => {
  let chain: DevnetChain;
  let token: bigint;
  beforeAll(async () => {
    chain = await DevnetChain.start();
  });
  beforeEach(async () => {
    token = await chain.deploy('Erc20', {
      name: 'USD Coin',
      symbol: 'USDC',
      decimals: 6,
      minter: chain.owner,
    });
    await send('mint', [chain.owner, ...u256ToHalves(1_000n)]);
  });
  afterAll(() => chain.stop());

  const send = (entrypoint: string, calldata: readonly bigint[]) =>
    chain.send({ contract: token, entrypoint, calldata });
  const sendAsStranger = (entrypoint: string, calldata: readonly bigint[]) =>
    chain.sendAsStranger({ contract: token, entrypoint, calldata });
  const view = (entrypoint: string, ...calldata: readonly bigint[]) =>
    chain.view({ contract: token, entrypoint, calldata });
  const own = (events: readonly { readonly from: bigint }[]) =>
    events.filter(({ from }) => from === token);
  const event = (name: string, from: bigint, to: bigint, amount: bigint) => ({
    from: token,
    keys: [BigInt(selectorOf(name)), from, to],
    data: u256ToHalves(amount),
  });

  it('the ERC-20 token returns name, symbol, decimals and supply, in snake case and camel case', async () => {
    expect(await view('name')).toEqual([BigInt(`0x${Buffer.from('USD Coin').toString('hex')}`)]);
    expect(await view('symbol')).toEqual([BigInt(`0x${Buffer.from('USDC').toString('hex')}`)]);
    expect(await view('decimals')).toEqual([6n]);
    for (const name of ['total_supply', 'totalSupply'])
      expect(await view(name)).toEqual([1_000n, 0n]);
    for (const name of ['balance_of', 'balanceOf'])
      expect(await view(name, chain.owner)).toEqual([1_000n, 0n]);
  });

  it('only the minter can mint the ERC-20 token', async () => {
    const { events } = await send('mint', [HOLDER, ...u256ToHalves(2n ** 130n)]);
    expect(own(events)).toEqual([event('Transfer', 0n, HOLDER, 2n ** 130n)]);
    expect(await view('total_supply')).toEqual(u256ToHalves(2n ** 130n + 1_000n));
    expect(await sendAsStranger('mint', [HOLDER, 1n, 0n])).toMatchObject(
      reverts('ERC20: not the minter'),
    );
    expect(await send('mint', [0n, 1n, 0n])).toMatchObject(reverts('ERC20: mint to 0'));
  });

  it('an ERC-20 transfer can’t exceed the sender’s balance', async () => {
    const outcome = await send('transfer', [HOLDER, 600n, 0n]);
    expect(outcome).toMatchObject(SUCCEEDED);
    expect(own(outcome.events)).toEqual([event('Transfer', chain.owner, HOLDER, 600n)]);
    expect([await view('balance_of', chain.owner), await view('balance_of', HOLDER)]).toEqual([
      [400n, 0n],
      [600n, 0n],
    ]);
    expect(await send('transfer', [HOLDER, 401n, 0n])).toMatchObject(
      reverts('ERC20: insufficient balance'),
    );
    expect(await send('transfer', [HOLDER, 0n, 1n])).toMatchObject(
      reverts('ERC20: insufficient balance'),
    );
    expect(await send('transfer', [0n, 1n, 0n])).toMatchObject(reverts('ERC20: transfer to 0'));
    expect(await send('transfer', [chain.owner, 400n, 0n])).toMatchObject(SUCCEEDED);
    expect(await view('balance_of', chain.owner)).toEqual([400n, 0n]);
  });

  it.each(['transfer_from', 'transferFrom'])(
    'the method %s reduces the ERC-20 allowance',
    async (entrypoint) => {
      const take = (amount: bigint) =>
        sendAsStranger(entrypoint, [chain.owner, HOLDER, ...u256ToHalves(amount)]);
      expect(await take(1n)).toMatchObject(reverts('ERC20: insufficient allowance'));
      const { events } = await send('approve', [chain.stranger, 700n, 0n]);
      expect(own(events)).toEqual([event('Approval', chain.owner, chain.stranger, 700n)]);
      expect(await take(500n)).toMatchObject(SUCCEEDED);
      expect(await view('allowance', chain.owner, chain.stranger)).toEqual([200n, 0n]);
      expect(await take(201n)).toMatchObject(reverts('ERC20: insufficient allowance'));
      expect(await view('balance_of', HOLDER)).toEqual([500n, 0n]);
      expect(await send('approve', [0n, 1n, 0n])).toMatchObject(reverts('ERC20: approve to 0'));
    },
  );

  it('an ERC-20 transfer does not reduce an unlimited allowance', async () => {
    await send('approve', [chain.stranger, ...u256ToHalves(UNLIMITED)]);
    expect(await sendAsStranger('transfer_from', [chain.owner, HOLDER, 500n, 0n])).toMatchObject(
      SUCCEEDED,
    );
    expect(await view('allowance', chain.owner, chain.stranger)).toEqual(u256ToHalves(UNLIMITED));
    expect(await sendAsStranger('transfer_from', [chain.owner, HOLDER, 501n, 0n])).toMatchObject(
      reverts('ERC20: insufficient balance'),
    );
  });
});
