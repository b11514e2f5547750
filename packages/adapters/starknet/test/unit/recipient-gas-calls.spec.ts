import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  GuardCalls,
  HeldKeys,
  StarknetAccountHistory,
  StarknetAccountSigner,
  StarknetCallSimulator,
  selectorOf,
} from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import {
  MAX_RECIPIENT_GAS_FRI,
  TRANSFER_SELECTOR,
  readWithdrawalCall,
  withRecipientGas,
} from '@sotto/relayer-core';
import { hash, transaction, type Call } from 'starknet';
import { z } from 'zod';
import { LoopbackNode } from '../support/loopback-node.js';
import { withdrawal } from '../support/withdrawal.js';

const ACCOUNT = toFelt('0xa1');
const POOL = toFelt('0x7a11');
const GUARD = toFelt('0x9a2d');
const STRK = toFelt('0x4718');
const AMOUNT = 50_000_000_000_000_000n;
const CHAIN_ID = '0x534e5f5345504f4c4941';
const TARGET = { to: POOL, entrypoint: 'withdraw' };
const bound = { maxAmount: 10n, maxPriceFri: 20n };
const REQUEST = {
  account: ACCOUNT,
  nonce: 7n,
  bounds: { l2Gas: bound, l1Gas: bound, l1DataGas: bound, tipFri: 0n },
};

const read = readWithdrawalCall(withdrawal.calldata);
if (read === null) throw new Error('the vector is no withdrawal');
const RECIPIENT = read.statement.recipient;
const joined = withRecipientGas(withdrawal.calldata, {
  token: STRK,
  recipient: RECIPIENT,
  amountFri: AMOUNT,
});

const guardCalls = new GuardCalls({
  guard: GUARD,
  entrypoints: { isKnownRoot: 'is_known_root', isSpent: 'is_spent' },
  swapPool: null,
  depositTokens: new Map(),
});
const found = guardCalls.beforeWithdrawal(TARGET, joined);
if (found === null) throw new Error('a withdrawal has no guard');
const guard = found;

const WITHDRAW: Call = {
  contractAddress: POOL,
  entrypoint: 'withdraw',
  calldata: withdrawal.calldata.toHex(),
};
const transferOf = (
  amount = AMOUNT,
  {
    to = RECIPIENT,
    token = STRK,
    high = '0x0',
  }: Partial<Record<'to' | 'token' | 'high', string>> = {},
): Call => ({
  contractAddress: token,
  entrypoint: 'transfer',
  calldata: [to, toFelt(amount), high],
});
const GUARDED: Call = {
  contractAddress: GUARD,
  entrypoint: 'assert_views',
  calldata: guard.calldata.toHex(),
};
/** Calldata of `__execute__` by starknet.js, in canonical hex. */
const executed = (...calls: readonly Call[]): readonly string[] =>
  transaction.getExecuteCalldata([...calls], '1').map((felt) => toFelt(BigInt(felt)));

const Sent = z.object({ calldata: z.array(z.string()) });

describe('a withdrawal that gives STRK to its recipient', () => {
  const signers: StarknetAccountSigner[] = [];
  const startWith = (isGuarded: boolean): StarknetAccountSigner => {
    const signer = new StarknetAccountSigner({
      chainId: toFelt(CHAIN_ID),
      keys: new HeldKeys([{ address: ACCOUNT, privateKey: '0x1234567' }]),
      leadingCalls: { before: async () => (isGuarded ? guard : null) },
    });
    signers.push(signer);
    return signer;
  };
  afterAll(async () => {
    for (const signer of signers) await signer.close();
  });

  it.each([
    ['without the guard', false, [WITHDRAW, transferOf()]],
    ['with the guard', true, [GUARDED, WITHDRAW, transferOf()]],
  ])(
    'the signer signs its calls exactly as starknet.js does, %s',
    async (_what, isGuarded, calls) => {
      const signer = startWith(isGuarded);
      const signed = await signer.signCall(await signer.hashCall(TARGET, joined), REQUEST);
      const { calldata } = Sent.parse(JSON.parse(Buffer.from(signed.bytes).toString('utf8')));
      expect(calldata).toEqual(executed(...calls));
      const wire = { max_amount: 10n, max_price_per_unit: 20n };
      expect(signed.hash).toBe(
        hash.calculateInvokeTransactionHash({
          senderAddress: ACCOUNT,
          version: '0x3',
          compiledCalldata: transaction.getExecuteCalldata(calls, '1'),
          chainId: CHAIN_ID,
          nonce: 7n,
          accountDeploymentData: [],
          nonceDataAvailabilityMode: 0,
          feeDataAvailabilityMode: 0,
          resourceBounds: { l2_gas: wire, l1_gas: wire, l1_data_gas: wire },
          tip: 0n,
          paymasterData: [],
        }),
      );
      // The stored calldata is inserted at this position when the transaction is sent again.
      const { start = 0, end = 0 } = signed.calldataAt ?? {};
      expect(Buffer.from(signed.bytes.subarray(start, end))).toEqual(
        Buffer.from(await signer.calldataText(TARGET, joined)),
      );
    },
  );

  it('the bytes of a withdrawal without STRK are unchanged', async () => {
    const signer = startWith(false);
    const call = await signer.hashCall(TARGET, withdrawal.calldata);
    const { bytes } = await signer.signCall(call, REQUEST);
    expect(Sent.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).calldata).toEqual([
      '0x1',
      POOL,
      selectorOf('withdraw'),
      toFelt(BigInt(withdrawal.calldata.length)),
      ...withdrawal.calldata.toHex(),
    ]);
  });

  it('the selector of transfer is the one that starknet.js computes', () => {
    expect(toFelt(TRANSFER_SELECTOR)).toBe(selectorOf('transfer'));
  });
});

describe('StarknetAccountHistory with transfers of STRK', () => {
  let node: LoopbackNode;
  let calldata: readonly string[];
  beforeEach(async () => {
    node = await LoopbackNode.start();
    node.answer = () => ({
      result: {
        status: 'ACCEPTED_ON_L2',
        block_number: 4,
        block_hash: '0xb04',
        parent_hash: '0xb03',
        transactions: [
          {
            transaction: {
              type: 'INVOKE',
              version: '0x3',
              sender_address: ACCOUNT,
              nonce: '0x5',
              calldata,
            },
            receipt: {
              transaction_hash: '0xf1',
              execution_status: 'SUCCEEDED',
              actual_fee: { amount: '0x10', unit: 'FRI' },
            },
          },
        ],
      },
    });
  });
  afterEach(async () => node.stop());

  const callsOf = async (...calls: readonly Call[]) => {
    calldata = executed(...calls);
    const history = new StarknetAccountHistory(node.client(), {
      guardCalls,
      strkToken: STRK,
    });
    const { sent } = await history.transactions([ACCOUNT], 4, 4);
    return sent[0]?.calls;
  };

  it.each([
    ['withdrawal and transfer', [WITHDRAW, transferOf()]],
    ['guard, withdrawal and transfer', [GUARDED, WITHDRAW, transferOf()]],
  ])('the history joins %s into the call of the ledger', async (_what, calls) => {
    expect(await callsOf(...calls)).toEqual([{ target: TARGET, calldata: joined }]);
  });

  it.each([
    ['to another address', [WITHDRAW, transferOf(AMOUNT, { to: '0xbad' })], 2],
    ['of another token', [WITHDRAW, transferOf(AMOUNT, { token: '0x70' })], 2],
    ['above the maximum', [WITHDRAW, transferOf(MAX_RECIPIENT_GAS_FRI + 1n)], 2],
    ['with a high half', [WITHDRAW, transferOf(AMOUNT, { high: '0x1' })], 2],
    ['of nothing', [WITHDRAW, transferOf(0n)], 2],
    ['before the withdrawal', [transferOf(), WITHDRAW], 2],
    ['twice', [WITHDRAW, transferOf(), transferOf()], 3],
  ])('a transfer %s is foreign', async (_what, calls, count) => {
    expect(await callsOf(...calls)).toHaveLength(count);
  });

  it('the history returns a withdrawal without a transfer unchanged', async () => {
    expect(await callsOf(WITHDRAW)).toEqual([{ target: TARGET, calldata: withdrawal.calldata }]);
    expect(await callsOf(transferOf())).toHaveLength(1);
  });
});

describe('StarknetCallSimulator with a transfer of STRK', () => {
  it('the simulator simulates both calls as a transaction, and only the withdrawal as a call', async () => {
    const node = await LoopbackNode.start();
    node.answer = ({ method }) => {
      if (method === 'starknet_getNonce') return { result: '0x0' };
      if (method === 'starknet_call') return { result: [] };
      return {
        result: [
          { transaction_trace: { type: 'INVOKE', execute_invocation: { revert_reason: 'no' } } },
        ],
      };
    };
    const simulator = new StarknetCallSimulator(node.client());
    await simulator.simulate({ ...TARGET, calldata: joined }, ACCOUNT);
    await simulator.simulate({ ...TARGET, calldata: joined });
    const paramsOf = (method: string): unknown =>
      node.calls().find((call) => call.method === method)?.params;
    expect(paramsOf('starknet_simulateTransactions')).toMatchObject({
      transactions: [{ calldata: executed(WITHDRAW, transferOf()) }],
    });
    expect(paramsOf('starknet_call')).toMatchObject({
      request: { contract_address: POOL, calldata: withdrawal.calldata.toHex() },
    });
    await node.stop();
  });
});
