import { describe, expect, it } from '@jest/globals';
import { silentLogger, toFelt } from '@sotto/kernel';
import { ManualClock } from '@sotto/kernel/testing';
import { GetVerdict, signerRejectionsParts, type SignerRejection } from '../../src/index.js';

const [ONE, TWO, CURATOR] = [toFelt('0x1'), toFelt('0x2'), toFelt('0x3')];
const POOL = { key: 'one', address: toFelt('0xaa') };
const refused = (account = ONE, reason = 'SIGNER_REFUSED_BUDGET', ageMs = 0): SignerRejection => ({
  account,
  reason,
  ageMs,
});

const verdictOn = async (rejections: readonly SignerRejection[]) => {
  const parts = signerRejectionsParts(() => rejections, [ONE, TWO]);
  return new GetVerdict(parts, [POOL], new ManualClock(0), silentLogger).execute();
};

describe('rejections by the signer', () => {
  it('the signer’s rejections for all relay accounts block withdrawals, but do not make the process unready', async () => {
    const verdict = await verdictOn([
      refused(ONE),
      refused(TWO, 'SIGNER_REFUSED_CALL'),
      refused(CURATOR),
    ]);
    expect(verdict.reasons).toEqual([]);
    expect(verdict.warnings).toEqual([]);
    expect(verdict.pools).toMatchObject([
      {
        canWithdraw: false,
        reasons: [
          {
            code: 'SIGNER_REFUSED',
            details: { because: 'SIGNER_REFUSED_BUDGET, SIGNER_REFUSED_CALL', accounts: 3 },
          },
        ],
      },
    ]);
  });

  it.each([
    ['one of those', [refused(TWO)]],
    ['another account', [refused(CURATOR, 'SIGNER_REFUSED_CALL')]],
  ])(
    'blocks no withdrawal, but reports a warning, if the signer’s last rejection concerns only %s',
    async (_, rejections) => {
      const verdict = await verdictOn(rejections);
      expect(verdict.pools).toMatchObject([{ canWithdraw: true, reasons: [] }]);
      expect(verdict.warnings).toMatchObject([
        { code: 'SIGNER_REFUSED', details: { because: rejections[0]?.reason, accounts: 1 } },
      ]);
    },
  );

  it.each([
    ['nothing is refused', []],
    ['nothing asks again', [refused(ONE, 'X', 300_000), refused(TWO, 'X', 300_000)]],
  ])('the readiness verdict reports no problem with the signer if %s', async (_, rejections) => {
    const verdict = await verdictOn(rejections);
    expect(verdict.pools).toMatchObject([{ canWithdraw: true, reasons: [] }]);
    expect(verdict.warnings).toEqual([]);
  });
});
