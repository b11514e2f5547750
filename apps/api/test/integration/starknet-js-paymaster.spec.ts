import { describe, expect, it } from '@jest/globals';
import { PaymasterRpc, RpcError, hash } from 'starknet';
import { APPLY_ACTIONS_SELECTOR } from '../../src/http/paymaster/private-action-of.js';
import { STRK } from './private-actions-fixture.js';
import { testApp, withServer } from './test-app.js';

/** Runs `use` with the client of starknet.js against the service. */
async function withClient(use: (paymaster: PaymasterRpc) => Promise<void>): Promise<void> {
  const { app } = await testApp();
  await withServer(app, (url) => use(new PaymasterRpc({ nodeUrl: `${url}/paymaster` })));
}

const FEE = { version: '0x1', feeMode: { mode: 'default', gasToken: STRK } } as const;
const CALL = { contractAddress: '0x1', entrypoint: 'transfer', calldata: ['0x2'] };

describe('PaymasterRpc of starknet.js', () => {
  it('reads the availability and the tokens of the service', async () => {
    await withClient(async (paymaster) => {
      expect(await paymaster.isAvailable()).toBe(true);
      expect(await paymaster.getSupportedTokens()).toEqual([
        { token_address: STRK, decimals: 18, priceInStrk: 10n ** 18n },
        { token_address: '0x8001', decimals: 6, priceInStrk: 25n * 10n ** 18n },
      ]);
    });
  });

  it('throws the error of a transaction type that is not served', async () => {
    await withClient(async (paymaster) => {
      const built = paymaster.buildTransaction(
        { type: 'invoke', invoke: { userAddress: '0x1', calls: [CALL] } },
        FEE,
      );
      const failure: unknown = await built.catch((error: unknown) => error);
      if (!(failure instanceof RpcError)) throw new Error('starknet.js got no error of JSON-RPC');
      expect([failure.baseError.code, String(failure.baseError.message)]).toEqual([
        -32_602,
        'Invalid params',
      ]);
      expect(failure.message).toContain('invoke is not served, only apply_action');
    });
  });

  it('computes the same selector of apply_actions as the service', () => {
    expect(APPLY_ACTIONS_SELECTOR).toBe(hash.getSelectorFromName('apply_actions'));
  });
});
