import { describe, expect, it } from '@jest/globals';
import { PaymasterRpc, RpcError, hash } from 'starknet';
import { PaymasterRpc as PaymasterRpc9, RpcError as RpcError9 } from 'starknet-9';
import { APPLY_ACTIONS_SELECTOR } from '../../src/http/paymaster/private-action-of.js';
import { STRK } from './private-actions-fixture.js';
import { testApp, withServer } from './test-app.js';

const FEE = { version: '0x1', feeMode: { mode: 'default', gasToken: STRK } } as const;
const CALL = { contractAddress: '0x1', entrypoint: 'transfer', calldata: ['0x2'] };

describe.each([
  { version: '10', Client: PaymasterRpc, Failure: RpcError },
  { version: '9', Client: PaymasterRpc9, Failure: RpcError9 },
])('PaymasterRpc of starknet.js, version $version', ({ Client, Failure }) => {
  /** Runs `use` with the client of starknet.js against the service. */
  async function withClient(
    use: (
      paymaster: Pick<PaymasterRpc, 'isAvailable' | 'getSupportedTokens' | 'buildTransaction'>,
    ) => Promise<void>,
  ): Promise<void> {
    const { app } = await testApp();
    await withServer(app, (url) => use(new Client({ nodeUrl: `${url}/paymaster` })));
  }

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
      if (!(failure instanceof Failure)) throw new Error('starknet.js got no error of JSON-RPC');
      expect([failure.baseError.code, String(failure.baseError.message)]).toEqual([
        -32_602,
        'Invalid params',
      ]);
      expect(failure.message).toContain('invoke is not served, only apply_action');
    });
  });
});

describe('the selector of apply_actions', () => {
  it('equals the one that starknet.js computes', () => {
    expect(APPLY_ACTIONS_SELECTOR).toBe(hash.getSelectorFromName('apply_actions'));
  });
});
