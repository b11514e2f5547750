import { toFelt } from '@sotto/kernel';
import type { NetworkProfileFile } from '@sotto/network-profile';
import { hash } from 'starknet';

type Purchases = NonNullable<NetworkProfileFile['purchases']>;
type Leverage = NonNullable<NonNullable<NetworkProfileFile['vaults']>[number]['leverage']>;

/** Layout of orders and events in the development contract for recurring purchases. */
export const PURCHASE_LAYOUT: Omit<Purchases, 'address'> = {
  order: {
    fields: [
      { name: 'ignored', size: 'felt' },
      { name: 'sell_token', size: 'felt' },
      { name: 'amount', size: 'u256' },
      { name: 'frequency', size: 'u64' },
      { name: 'total', size: 'u32' },
      { name: 'executed', size: 'u32' },
      { name: 'last_execution', size: 'u64' },
      { name: 'remaining', size: 'u256' },
      { name: 'smart', size: 'bool' },
      { name: 'active', size: 'bool' },
    ],
  },
  created: {
    selector: toFelt(hash.starknetKeccak('OrderCreated')),
    orderId: { in: 'keys', at: 1 },
  },
  mayerMultiple: { size: 'u256', scale: String(10n ** 18n) },
};

/** Layout of the calls by which the development vault `turbo` changes its leverage. */
export const LEVERAGE_LAYOUT: Leverage['layout'] = {
  form: 'rounds',
  position: {
    entrypoint: 'position',
    fields: [
      { field: 'collateral', felts: 2 },
      { field: 'debt', felts: 2 },
      { field: 'nominalDebt', felts: 2 },
    ],
  },
  up: {
    entrypoint: 'leverage_round',
    calldata: ['expected_debt', 'borrow', 'minimum', 'routes'],
  },
  down: {
    entrypoint: 'deleverage_round',
    calldata: ['expected_debt', 'withdraw', 'minimum', 'routes'],
  },
  repaysHeld: true,
};
