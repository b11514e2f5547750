import { toFelt } from '@sotto/kernel';
import type { PurchaseContract } from '../../src/index.js';

/** A possible deployment of the contract with its fields, events and arguments. */
export const PLAIN_CONTRACT: PurchaseContract = {
  address: toFelt('0xdca1'),
  firstBlock: 5,
  keeperFeeBps: 10,
  layout: {
    fields: [
      { name: 'ignored', size: 'felt' },
      { name: 'sell_token', size: 'felt' },
      { name: 'amount', size: 'u256' },
      { name: 'remaining', size: 'u256' },
      { name: 'frequency', size: 'u64' },
      { name: 'total', size: 'u32' },
      { name: 'executed', size: 'u32' },
      { name: 'last_execution', size: 'u64' },
      { name: 'smart', size: 'bool' },
      { name: 'active', size: 'bool' },
    ],
    created: { selector: toFelt('0xc4ea7ed'), orderId: { in: 'keys', at: 1 } },
    mayerMultiple: { size: 'u256', scale: 1_000_000n },
    entrypoints: {
      order: 'get_order',
      mayerMultiple: 'get_mayer_multiple',
      execute: 'execute_order',
    },
    execution: ['order', 'minimum', 'routes'],
  },
};

/** Contract like `PLAIN_CONTRACT`, but with a different layout in every part. */
export const OTHER_CONTRACT: PurchaseContract = {
  address: toFelt('0xdca2'),
  firstBlock: 3,
  keeperFeeBps: 25,
  layout: {
    fields: [
      { name: 'cancelled', size: 'bool' },
      { name: 'smart', size: 'felt' },
      { name: 'last_execution', size: 'u128' },
      { name: 'executed', size: 'u64' },
      { name: 'spent', size: 'u256' },
      { name: 'ignored', size: 'u256' },
      { name: 'deposited', size: 'u128' },
      { name: 'amount', size: 'u128' },
      { name: 'total', size: 'u64' },
      { name: 'frequency', size: 'u32' },
      { name: 'sell_token', size: 'felt' },
    ],
    created: { selector: toFelt('0x0bde'), orderId: { in: 'data', at: 3 } },
    mayerMultiple: { size: 'u128', scale: 10n ** 18n },
    entrypoints: { order: 'order_of', mayerMultiple: 'multiple', execute: 'run' },
    execution: [7, 'routes', 'minimum', 'order'],
  },
};
