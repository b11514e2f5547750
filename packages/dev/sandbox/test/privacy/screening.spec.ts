import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { typedData } from 'starknet';
import { attest, screeningHash } from '../../src/contracts/screening.js';
import { publicSideOf } from '../../src/contracts/world.js';
import { selectorOf, toHex } from '../../src/engine/felt.js';
import { actionFelts, sandboxWorld, type PrivateRequest } from '../../src/index.js';
import { PrivacyBench, usualWithdrawal } from './privacy-bench.js';

const { accounts, privacyPool, tokens } = sandboxWorld;
const { USDC } = tokens;
const { buyer, depositor } = accounts;
const chainId = BigInt(`0x${Buffer.from(sandboxWorld.chainId).toString('hex')}`);
const { privateKey, publicKey } = privacyPool.screener;

describe('attestation of a screening', () => {
  it('the sandbox knows the public key of the screening service', () => {
    expect(publicSideOf(privateKey).publicKey).toBe(publicKey);
  });

  it('the screening hash is the SNIP-12 hash of starknet.js', () => {
    const reference = typedData.getMessageHash(
      {
        types: {
          StarknetDomain: [
            { name: 'name', type: 'shortstring' },
            { name: 'version', type: 'shortstring' },
            { name: 'chainId', type: 'shortstring' },
            { name: 'revision', type: 'shortstring' },
          ],
          DepositorValidation: [
            { name: 'depositor', type: 'ContractAddress' },
            { name: 'issued_at', type: 'u128' },
          ],
        },
        primaryType: 'DepositorValidation',
        domain: { name: 'Screening', version: '2', chainId: sandboxWorld.chainId, revision: '1' },
        message: { depositor: toHex(buyer.address), issued_at: 1_800_000_000 },
      },
      toHex(publicKey),
    );
    const screening = { chainId, screenerPublicKey: publicKey, subject: buyer.address };
    expect(toHex(screeningHash({ ...screening, issuedAt: 1_800_000_000n }))).toBe(reference);
  });
});

describe('deposit into the privacy pool', () => {
  let bench: PrivacyBench;
  beforeEach(async () => {
    bench = await PrivacyBench.start();
    bench.node.control.freezeClock(1_900_000_000_000);
    bench.node.control.mine();
    await bench.approve(buyer, USDC.address, 1_000n);
  });
  afterEach(() => bench.stop());

  const order = { user: buyer.address, token: USDC.address, amount: 100n };
  const deposit = (screening?: 'needed' | 'never' | 'always'): Promise<PrivateRequest> =>
    bench.prover().deposit({ ...order, fee: usualWithdrawal.fee }, { screening });
  /** Returns a deposit with an attestation for another subject or time, or by another key. */
  const attested = async (changes: {
    readonly subject?: bigint;
    readonly aheadSeconds?: bigint;
    readonly key?: bigint;
  }): Promise<PrivateRequest> => {
    const { subject = buyer.address, aheadSeconds = 0n, key = privateKey } = changes;
    const request = await deposit('never');
    const issuedAt = BigInt(bench.node.control.nowMs() / 1000) + aheadSeconds;
    const { signature } = attest({ chainId, screenerPublicKey: publicKey, subject, issuedAt }, key);
    const felts = [0n, issuedAt, ...signature].map(toHex);
    return { ...request, calldata: [...request.calldata.slice(0, -1), ...felts] };
  };

  it('moves the user’s tokens to the pool and pays the fee', async () => {
    const before = bench.balance(USDC.address, privacyPool.address);
    const { status, events } = await bench.submit(await deposit());
    expect(status).toBe('SUCCEEDED');
    expect(bench.balance(USDC.address, privacyPool.address)).toBe(before + 93n);
    expect(bench.balance(USDC.address, accounts.feeCollector.address)).toBe(7n);
    expect(
      events.filter(({ keys }) => BigInt(keys[0] ?? 0) === selectorOf('Deposit')),
    ).toMatchObject([
      { keys: [expect.any(String), toHex(buyer.address), toHex(USDC.address)], data: ['0x64'] },
    ]);
  });

  it('needs an allowance, which the prover returns as a call', async () => {
    const { approval } = await bench.prover().deposit({ ...order, user: depositor.address });
    expect(approval).toEqual({
      to: toHex(USDC.address),
      entrypoint: 'approve',
      selector: toHex(selectorOf('approve')),
      calldata: [toHex(privacyPool.address), '0x64', '0x0'],
    });
    const request = await bench.prover().deposit({ ...order, user: depositor.address });
    expect((await bench.submit(request)).reason).toContain('Insufficient ERC20 allowance');
  });

  it('needs an attestation only while screening is on', async () => {
    expect(await bench.simulate(await deposit('never'))).toContain('SCREENING_REQUIRED');
    const before = await deposit();
    bench.node.control.setPrivacyPool({ isScreening: false });
    expect(await bench.simulate(before)).toContain('UNEXPECTED_SCREENING');
    expect(await bench.simulate(await deposit())).toBe('succeeds');
    bench.node.control.setPrivacyPool({ isScreening: true });
    expect(await bench.simulate(before)).toBe('succeeds');
  });

  it('reverts if the attestation is old, ahead, for another user or by another key', async () => {
    const tries = await Promise.all(
      [
        {},
        { aheadSeconds: -300n },
        { aheadSeconds: 60n },
        { aheadSeconds: -301n },
        { aheadSeconds: 61n },
        { subject: depositor.address },
        { key: buyer.privateKey },
      ].map(async (changes) => bench.simulate(await attested(changes))),
    );
    expect(tries.map((text) => /SCREENING_[A-Z_]+|succeeds/.exec(text)?.[0])).toEqual([
      'succeeds',
      'succeeds',
      'succeeds',
      'SCREENING_EXPIRED',
      'SCREENING_FUTURE_DATED',
      'SCREENING_INVALID_SIGNATURE',
      'SCREENING_INVALID_SIGNATURE',
    ]);
  });

  it('reverts with MULTIPLE_SCREENING_SUBJECTS if it moves tokens of two users', async () => {
    await bench.approve(depositor, USDC.address, 1_000n);
    const request = await bench
      .prover()
      .prove([
        actionFelts.writeOnce(1n, 1n),
        actionFelts.transferFrom(buyer.address, USDC.address, 1n),
        actionFelts.transferFrom(depositor.address, USDC.address, 1n),
      ]);
    expect(await bench.simulate(request)).toContain('MULTIPLE_SCREENING_SUBJECTS');
  });

  it('a withdrawal with an attestation reverts with UNEXPECTED_SCREENING', async () => {
    const request = await bench.prover().withdraw(usualWithdrawal, { screening: 'always' });
    expect(await bench.simulate(request)).toContain('UNEXPECTED_SCREENING');
  });
});
