import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Account, RpcProvider } from 'starknet';
import { depositorOf } from '../../src/account.js';

const SETTINGS = {
  nodeUrl: 'http://127.0.0.1:1/rpc',
  depositor: { address: '0x1', privateKey: '0x2' },
  recipient: '0x3',
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the account that pays', () => {
  it.each([
    ['the node does not answer any more', new Error('fetch failed')],
    ['the transaction has reverted', new Error('REVERTED')],
  ])(
    'the wallet page’s account returns the sent transaction even if waiting for its block fails: %s',
    async (_what, error) => {
      const sent = { transaction_hash: '0xabc' };
      jest.spyOn(Account.prototype, 'execute').mockResolvedValue(sent);
      jest.spyOn(RpcProvider.prototype, 'waitForTransaction').mockRejectedValue(error);
      expect(await depositorOf(SETTINGS).execute([])).toEqual(sent);
    },
  );

  it('the wallet page’s account fails if the transaction could not be sent', async () => {
    jest.spyOn(Account.prototype, 'execute').mockRejectedValue(new Error('no'));
    await expect(depositorOf(SETTINGS).execute([])).rejects.toThrow('no');
  });
});
