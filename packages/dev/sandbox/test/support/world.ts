import { ec } from 'starknet';
import { accountModel } from '../../src/contracts/account.js';
import { erc20 } from '../../src/contracts/erc20.js';
import { balanceKey } from '../../src/engine/fee.js';
import { toHex } from '../../src/engine/felt.js';
import type { Genesis, GenesisAccount } from '../../src/engine/genesis.js';
import { PUBLIC_KEY } from '../../src/engine/signature.js';
import { COUNTER } from './counter.js';

/** ERC-20 token and contracts of the engine's tests. */
export const STRK = 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938dn;
export const COUNTER_1 = 0xc1n;
export const COUNTER_2 = 0xc2n;

export const ALICE = account(0xa11ce, 0x1234567890abcdefn);
export const BOB = account(0xb0b, 0xfedcba0987654321n);
/** Account that has a key but no STRK. */
export const POOR = account(0x900, 0x777n);

export const INITIAL_STRK = 1_000n * 10n ** 18n;

/** Genesis with three accounts, the STRK token and two counters. */
export function testGenesis(): Genesis {
  return {
    chainId: 'SN_TEST',
    feeToken: STRK,
    contracts: [
      {
        address: STRK,
        model: erc20({ name: 'Starknet Token', symbol: 'STRK', decimals: 18 }),
        storage: {
          [balanceKey(ALICE.address)]: INITIAL_STRK,
          [balanceKey(BOB.address)]: INITIAL_STRK,
        },
      },
      { address: COUNTER_1, model: COUNTER },
      { address: COUNTER_2, model: COUNTER, storage: { value: 7n } },
      ...[ALICE, BOB, POOR].map(({ address, publicKey }) => ({
        address,
        model: accountModel,
        storage: { [PUBLIC_KEY]: publicKey },
      })),
    ],
    accounts: [ALICE, BOB, POOR],
  };
}

function account(address: number, privateKey: bigint): GenesisAccount {
  return {
    address: BigInt(address),
    privateKey,
    publicKey: BigInt(ec.starkCurve.getStarkKey(toHex(privateKey))),
  };
}
