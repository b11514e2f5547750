import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  GetTransferStatus,
  QuoteTransfer,
  type BridgeProtocol,
  type QuoteTransferInput,
  type TransferStatus,
} from '@sotto/bridge-core';
import { InMemoryTransferStore } from '@sotto/bridge-core/testing';
import { ManualClock } from '@sotto/kernel/testing';
import { startSolver, type RunningSolver } from '@sotto/sandbox';
import { HttpBridgeProtocol, OneClickBridgeProtocol } from '../../../src/bridge/index.js';

const STARKNET_ADDRESS = '0x59abf82e0bc584a3b4e94fcc5aa4b5f7e9ea946b5fbe236cdecf491ad0b2c72';
const SOLANA_ADDRESS = 'So11111111111111111111111111111111111111112';
const STEP_MS = 10_000;

const inwards: QuoteTransferInput = {
  fromChain: 'solana',
  fromToken: 'USDC',
  toChain: 'starknet',
  toToken: 'STRK',
  amount: '25000000',
  dryRun: false,
  recipient: STARKNET_ADDRESS,
  refundTo: SOLANA_ADDRESS,
};
const outwards: QuoteTransferInput = {
  fromChain: 'starknet',
  fromToken: 'STRK',
  toChain: 'solana',
  toToken: 'SOL',
  amount: '500000000000000000000',
  dryRun: false,
  recipient: SOLANA_ADDRESS,
  refundTo: STARKNET_ADDRESS,
};

type Adapter = BridgeProtocol & { close(): void };
const spec = ({ bridgeUrl: url }: RunningSolver): Adapter => new HttpBridgeProtocol({ url });
const oneClick = ({ oneClickUrl: url }: RunningSolver): Adapter =>
  new OneClickBridgeProtocol({ url });

const LETTERS = { pending: '.', processing: '>', completed: 'c', failed: 'f' } as const;
const words = ({ steps }: TransferStatus): string =>
  steps.map(({ status }) => LETTERS[status]).join('');

describe.each([
  ['the protocol of the specification', spec, true],
  ['1Click', oneClick, false],
] as const)('a transfer over %s', (_, connect, showsEveryStep) => {
  const clock = new ManualClock();
  let solver: RunningSolver;
  let protocol: Adapter;
  let memory: InMemoryTransferStore;
  let follow: GetTransferStatus;
  beforeEach(async () => {
    solver = await startSolver({ nowMs: () => clock.nowMs(), stepMs: STEP_MS, refundMs: STEP_MS });
    protocol = connect(solver);
    memory = new InMemoryTransferStore();
    follow = new GetTransferStatus(protocol, memory, clock);
  });
  afterEach(async () => {
    protocol.close();
    await solver.stop();
  });

  const order = async (input: QuoteTransferInput): Promise<string> => {
    const { deposit } = await new QuoteTransfer(protocol, memory, clock).execute(input);
    if (deposit === null) throw new Error('no deposit');
    return deposit.transactionId;
  };

  it.each([
    ['in', inwards],
    ['out', outwards],
  ])(
    'reports the states of a bridge transfer in direction %s from the deposit to the end, across a restart',
    async (__, input) => {
      const transactionId = await order(input);
      expect(words(await follow.execute({ transactionId }))).toBe('.....');
      solver.control.deposit(transactionId);
      const seen: string[] = [];
      for (let step = 0; step < 5; step += 1) {
        seen.push(words(await follow.execute({ transactionId })));
        clock.advance(STEP_MS);
        if (step === 2) follow = new GetTransferStatus(protocol, memory, clock);
      }
      const ended = await follow.execute({ transactionId });
      seen.push(words(ended));
      expect(seen).toEqual(
        showsEveryStep
          ? ['>....', 'c>...', 'cc>..', 'ccc>.', 'cccc>', 'ccccc']
          : ['>....', 'c>...', 'c>...', 'c>...', 'c>...', 'ccccc'],
      );
      expect(ended.status).toBe('completed');
      const times = ended.steps.map(({ timestampSeconds }) => timestampSeconds ?? 0);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBe(Math.floor(clock.nowMs() / 1_000));
      expect([ended.steps[0]?.txHash, ended.steps[4]?.txHash]).toEqual([
        expect.any(String),
        expect.any(String),
      ]);
    },
  );

  it('reports the failed step of a bridge transfer, and then its refund', async () => {
    const transactionId = await order(inwards);
    solver.control.failAt(transactionId, 'swap_source_token');
    solver.control.deposit(transactionId);
    clock.advance(2 * STEP_MS);
    const failed = await follow.execute({ transactionId });
    expect(words(failed)).toBe('cf...');
    expect(failed).toMatchObject({ status: 'processing', refund: 'expected' });
    clock.advance(STEP_MS);
    const refunded = await follow.execute({ transactionId });
    const { amounts, reasonText } = refunded;
    expect(refunded).toEqual({ ...failed, refund: 'refunded', amounts, reasonText });
    expect(amounts.refunded).toBe(showsEveryStep ? null : '25 USDC');
    await solver.stop();
    expect(await follow.execute({ transactionId })).toEqual(refunded);
  });

  it('reports an unknown transfer id as TRANSFER_NOT_FOUND', async () => {
    await expect(follow.execute({ transactionId: 'unknown-id' })).rejects.toMatchObject({
      code: 'TRANSFER_NOT_FOUND',
    });
  });
});
