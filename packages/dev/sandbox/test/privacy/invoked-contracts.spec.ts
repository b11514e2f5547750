import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { selectorOf } from '../../src/engine/felt.js';
import { mapEntry, slotAt } from '../../src/contracts/privacy-pool-storage.js';
import {
  actionFelts,
  sandboxWorld,
  type PrivateRequest,
  type ProofOptions,
} from '../../src/index.js';
import { PrivacyBench } from './privacy-bench.js';

const { privacyPool, tokens } = sandboxWorld;
const { USDC, WBTC } = tokens;
const { hostile } = privacyPool;

describe('contracts that the privacy pool invokes', () => {
  let bench: PrivacyBench;
  beforeEach(async () => {
    bench = await PrivacyBench.start();
  });
  afterEach(() => bench.stop());

  const payment = { to: hostile, token: USDC.address, amount: 50n };
  /** Pays the hostile contract and requests a deposit of the same amount into an open note. */
  const hostileCall = (
    options: ProofOptions = {},
    changes: {
      readonly openNote?: bigint | undefined;
      readonly calldata?: readonly bigint[];
    } = {},
  ): Promise<PrivateRequest> =>
    bench.prover().invoke(
      {
        payment,
        openNote: 'openNote' in changes ? changes.openNote : USDC.address,
        calldata: (noteId) => changes.calldata ?? [noteId, USDC.address, 50n],
      },
      options,
    );

  it('a private swap fills its open note with the bought tokens', async () => {
    const before = bench.balance(WBTC.address, privacyPool.address);
    const request = await bench
      .prover()
      .swap({ sellToken: USDC.address, sellAmount: 20_000_000n, buyToken: WBTC.address });
    const { status, events } = await bench.submit(request);
    expect(status).toBe('SUCCEEDED');
    const deposited = events.find(
      ({ keys }) => BigInt(keys[0] ?? 0) === selectorOf('OpenNoteDeposited'),
    );
    const [, contract, token, note] = deposited?.keys.map(BigInt) ?? [];
    expect([contract, token, deposited?.data]).toEqual([
      privacyPool.swap,
      WBTC.address,
      ['0x4e20'],
    ]);
    expect(bench.view('get_note', note ?? 0n)).toEqual([(1n << 128n) + 20_000n, WBTC.address]);
    expect(bench.balance(WBTC.address, privacyPool.address)).toBe(before + 20_000n);
    expect(
      events.some(
        ({ keys }) =>
          BigInt(keys[0] ?? 0) === selectorOf('ExternalContractInvoked') &&
          BigInt(keys[2] ?? 0) === selectorOf('privacy_invoke'),
      ),
    ).toBe(true);
  });

  it('an invocation with a computation calls the other entry point', async () => {
    const request = await bench.prover().invoke({
      payment,
      openNote: USDC.address,
      withComputation: true,
      calldata: (noteId) => [0x1den, noteId, USDC.address, 50n],
    });
    expect(await bench.submit(request)).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('a deposit reverts if the note is unknown, filled, encrypted or of another token', async () => {
    const filled = 0xf1n;
    const encrypted = 0xe1n;
    bench.node.control.setStorage(
      privacyPool.address,
      slotAt(mapEntry('notes', filled)),
      (1n << 128n) + 5n,
    );
    bench.node.control.setStorage(
      privacyPool.address,
      slotAt(mapEntry('notes', encrypted)),
      9n << 128n,
    );
    const reasonFor = async (calldata: readonly bigint[]): Promise<string> =>
      bench.simulate(await hostileCall({}, { calldata }));
    expect(await reasonFor([0xabcn, USDC.address, 50n])).toContain('NOTE_NOT_FOUND');
    expect(await reasonFor([filled, USDC.address, 50n])).toContain('NOTE_ALREADY_DEPOSITED');
    expect(await reasonFor([encrypted, USDC.address, 50n])).toContain('NOTE_NOT_OPEN');
    expect(await reasonFor([0xabcn, USDC.address, 0n])).toContain('ZERO_AMOUNT');
    bench.node.control.setHostile({ result: 'other-token' });
    expect(await bench.simulate(await hostileCall())).toContain('TOKEN_MISMATCH');
  });

  it('an open note needs a deposit in the same transaction', async () => {
    bench.node.control.setHostile({ result: 'no-deposit' });
    expect(await bench.simulate(await hostileCall())).toContain('UNDEPOSITED_OPEN_NOTES');
    expect(await bench.simulate(await hostileCall({}, { openNote: undefined }))).toBe('succeeds');
  });

  it('a contract cannot fill more notes than the transaction opens', async () => {
    const note = 0xa1n;
    bench.node.control.setStorage(privacyPool.address, slotAt(mapEntry('notes', note)), 1n << 128n);
    bench.node.control.setStorage(
      privacyPool.address,
      slotAt(mapEntry('notes', note), 1),
      USDC.address,
    );
    const request = await hostileCall(
      {},
      { openNote: undefined, calldata: [note, USDC.address, 50n] },
    );
    expect(await bench.simulate(request)).toContain('TOO_MANY_OPEN_NOTES_DEPOSITED');
  });

  it('the pool rejects malformed results and calls back into it', async () => {
    bench.node.control.setHostile({ result: 'garbage' });
    expect(await bench.simulate(await hostileCall())).toContain('INVALID_INVOKE_RETURN_DATA');
    bench.node.control.setHostile({ result: 'reenter' });
    expect(await bench.simulate(await hostileCall())).toContain('ReentrancyGuard: reentrant call');
  });

  it('deposits of a contract without a policy need an attestation of its screening', async () => {
    const policy = slotAt(mapEntry('open_note_depositor_screening_policies', hostile));
    bench.node.control.setStorage(privacyPool.address, policy, 0n);
    expect(await bench.simulate(await hostileCall())).toContain('SCREENING_REQUIRED');
    bench.node.control.setStorage(privacyPool.address, policy, 2n);
    expect(await bench.simulate(await hostileCall())).toBe('succeeds');
    const computed = await bench.prover().invoke({
      payment,
      openNote: USDC.address,
      withComputation: true,
      calldata: (noteId) => [1n, noteId, USDC.address, 50n],
    });
    expect(await bench.simulate(computed)).toContain('INVALID_ASSOCIATED_ADDRESSES');
  });

  it('an invoked contract without the entry point makes the transaction revert', async () => {
    const request = await bench
      .prover()
      .prove([actionFelts.writeOnce(1n, 1n), actionFelts.invoke(USDC.address, [])]);
    expect(await bench.simulate(request)).toContain('ENTRYPOINT_NOT_FOUND');
  });

  describe('the hostile contract', () => {
    it('burns gas up to the limit of the transaction', async () => {
      const request = await hostileCall();
      const { l2Gas: usual } = await bench.submit(request);
      bench.node.control.setHostile({ burnL2Gas: 400_000_000n, burnWhen: 'always' });
      const { status, l2Gas } = await bench.submit(await hostileCall());
      expect([status, l2Gas - usual]).toEqual(['SUCCEEDED', 400_000_000]);
      bench.node.control.setHostile({ burnL2Gas: 10n ** 12n });
      const limited = {
        ...bench.invoke(await hostileCall()),
        l2Gas: [90_000_000n, 24_000_000_000n] as const,
      };
      expect(await bench.include(limited)).toMatchObject({ status: 'REVERTED', l2Gas: 90_000_000 });
    });

    it('reverts only in signed transactions, so a simulation without a signature succeeds', async () => {
      bench.node.control.setHostile({ revertWhen: 'signed' });
      const request = await hostileCall();
      expect(await bench.simulate(request)).toBe('succeeds');
      expect((await bench.submit(request)).reason).toContain('hostile contract');
    });

    it('reverts only in blocks with an odd number', async () => {
      bench.node.control.setHostile({ revertWhen: 'odd-blocks' });
      const request = await hostileCall();
      const results = [];
      for (let count = 0; count < 2; count += 1) {
        const block = bench.node.control.mine() + 1;
        results.push([block % 2, (await bench.simulate(request)) === 'succeeds']);
      }
      expect(results).toEqual(
        expect.arrayContaining([
          [0, true],
          [1, false],
        ]),
      );
    });

    it('reverts only outside transactions with the query version', async () => {
      bench.node.control.setHostile({ revertWhen: 'not-query' });
      const request = await hostileCall();
      expect(await bench.simulate(request)).toContain('hostile contract');
      expect(
        await bench.simulate(request, { version: '0x100000000000000000000000000000003' }),
      ).toBe('succeeds');
    });
  });
});
