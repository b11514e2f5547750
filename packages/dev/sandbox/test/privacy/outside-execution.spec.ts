import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ec, outsideExecution, typedData } from 'starknet';
import { toHex } from '../../src/engine/felt.js';
import { sandboxWorld } from '../../src/index.js';
import type { Call } from '../support/wire-invoke.js';
import { PrivacyBench, usualWithdrawal } from './privacy-bench.js';

const { accounts, privacyPool, tokens } = sandboxWorld;
const { buyer, lane1, lane2 } = accounts;
const { USDC } = tokens;
const CHAIN_ID = toHex(BigInt(`0x${Buffer.from(sandboxWorld.chainId).toString('hex')}`));
const ANY_CALLER = '0x414e595f43414c4c4552';
const NOW = 1_900_000_000;

describe('execute_from_outside_v2 of an account', () => {
  let bench: PrivacyBench;
  beforeEach(async () => {
    bench = await PrivacyBench.start();
    bench.node.control.freezeClock(NOW * 1000);
    bench.node.control.mine();
  });
  afterEach(() => bench.stop());

  /** Builds the buyer's approval of 100 units as starknet.js builds and signs it. */
  const signedApproval = (
    changes: {
      readonly caller?: string;
      readonly after?: number;
      readonly before?: number;
      readonly key?: bigint;
    } = {},
  ): Call => {
    const { caller = ANY_CALLER, after = NOW - 60, before = NOW + 60, key } = changes;
    const options = { caller, execute_after: after, execute_before: before };
    const calls = [
      {
        contractAddress: toHex(USDC.address),
        entrypoint: 'approve',
        calldata: [toHex(privacyPool.address), '0x64', '0x0'],
      },
    ];
    const message = outsideExecution.getTypedData(CHAIN_ID, options, 7, calls, '2');
    const hash = typedData.getMessageHash(message, toHex(buyer.address));
    const { r, s } = ec.starkCurve.sign(hash, toHex(key ?? buyer.privateKey));
    const calldata = outsideExecution.buildExecuteFromOutsideCallData({
      outsideExecution: {
        // starknet.js encodes the members in this order.
        caller,
        nonce: 7,
        execute_after: after,
        execute_before: before,
        calls: calls.map((call) => outsideExecution.getOutsideCall(call)),
      },
      signature: [toHex(r), toHex(s)],
      signerAddress: toHex(buyer.address),
      version: '2',
    });
    return {
      to: buyer.address,
      entrypoint: 'execute_from_outside_v2',
      calldata: calldata.map(BigInt),
    };
  };
  const deposit = () =>
    bench.prover().deposit({
      user: buyer.address,
      token: USDC.address,
      amount: 100n,
      fee: usualWithdrawal.fee,
    });
  const isFree = async (): Promise<unknown> =>
    bench.node.view(buyer.address, 'is_valid_outside_execution_nonce', [7n]);

  it('approves a deposit in the transaction that makes it', async () => {
    expect(await isFree()).toEqual(['0x1']);
    const request = await deposit();
    expect(await bench.submit(request, [signedApproval()])).toMatchObject({
      status: 'SUCCEEDED',
    });
    expect(await isFree()).toEqual(['0x0']);
    expect((await bench.submit(await deposit(), [signedApproval()])).reason).toContain(
      'SRC9: duplicated nonce',
    );
  });

  it('accepts only the named caller', async () => {
    const call = signedApproval({ caller: toHex(lane2.address) });
    expect((await bench.submit(await deposit(), [call], lane1)).reason).toContain(
      'SRC9: invalid caller',
    );
    expect(await bench.submit(await deposit(), [call], lane2)).toMatchObject({
      status: 'SUCCEEDED',
    });
  });

  it.each([
    ['at its first second', { after: NOW }, 'SRC9: now <= execute_after'],
    ['at its last second', { before: NOW }, 'SRC9: now >= execute_before'],
    ['with the signature of another key', { key: 5n }, 'SRC9: invalid signature'],
  ])('reverts %s', async (_name, changes, text) => {
    expect((await bench.submit(await deposit(), [signedApproval(changes)])).reason).toContain(text);
  });
});
