import { toFelt } from '@sotto/kernel';
import { z } from 'zod';
import type { KeyedAccount } from '../node/sender.js';
import type { JsonRpc } from '../node/json-rpc.js';
import { Integer } from '../node/wire.js';

const Accounts = z.array(z.object({ address: Integer, public_key: Integer, private_key: Integer }));
const CreatedBlock = z.object({ block_hash: Integer });
const AbortedBlocks = z.object({ aborted: z.array(Integer) });
const AcceptedBlocks = z.object({ accepted: z.array(Integer) });
const Anything = z.unknown();

/** Prices of one unit of gas in fri. Omitted prices remain. */
export interface DevnetGasPrices {
  readonly l1GasFri?: bigint;
  readonly l1DataGasFri?: bigint;
  readonly l2GasFri?: bigint;
}

/**
 * Commands that only a devnet supports.
 * @throws Error from every method, with the node's message, if it rejects the command
 */
export class DevnetControls {
  constructor(private readonly rpc: JsonRpc) {}

  /**
   * Returns the predeployed accounts with their keys. The keys follow from the seed, so they are
   * public.
   */
  async predeployedAccounts(): Promise<readonly KeyedAccount[]> {
    const accounts = await this.rpc.ask('devnet_getPredeployedAccounts', {}, Accounts);
    return accounts.map(({ address, public_key, private_key }) => ({
      address,
      publicKey: public_key,
      privateKey: private_key,
    }));
  }

  /** Closes the open block, even if it is empty; returns its hash. */
  async createBlock(): Promise<bigint> {
    return (await this.rpc.ask('devnet_createBlock', {}, CreatedBlock)).block_hash;
  }

  /**
   * Undoes this block and all later ones; returns their hashes. Needs the state archive ({@link
   * DevnetOptions.stateArchive}).
   */
  async abortBlocks(startingBlockHash: bigint): Promise<readonly bigint[]> {
    const params = { starting_block_id: { block_hash: toFelt(startingBlockHash) } };
    return (await this.rpc.ask('devnet_abortBlocks', params, AbortedBlocks)).aborted;
  }

  /** Marks this block and all earlier ones as accepted on L1; returns their hashes. */
  async acceptOnL1(startingBlockHash: bigint): Promise<readonly bigint[]> {
    const params = { starting_block_id: { block_hash: toFelt(startingBlockHash) } };
    return (await this.rpc.ask('devnet_acceptOnL1', params, AcceptedBlocks)).accepted;
  }

  /** Mints STRK (`FRI`) or ETH (`WEI`) for an address, in smallest units. */
  async mint(address: bigint, amount: bigint, unit: 'FRI' | 'WEI' = 'FRI'): Promise<void> {
    await this.rpc.ask('devnet_mint', { address: toFelt(address), amount, unit }, Anything);
  }

  /**
   * Sets the prices of the next block.
   * @param generateBlock true to make that block immediately.
   * @default true
   */
  async setGasPrice(
    { l1GasFri, l1DataGasFri, l2GasFri }: DevnetGasPrices,
    generateBlock = true,
  ): Promise<void> {
    const params = {
      generate_block: generateBlock,
      ...(l1GasFri !== undefined && { gas_price_fri: l1GasFri }),
      ...(l1DataGasFri !== undefined && { data_gas_price_fri: l1DataGasFri }),
      ...(l2GasFri !== undefined && { l2_gas_price_fri: l2GasFri }),
    };
    await this.rpc.ask('devnet_setGasPrice', params, Anything);
  }

  /**
   * Sets the time of the next block, in seconds since the Unix epoch.
   * @param generateBlock true to make that block immediately.
   * @default true
   */
  async setTime(seconds: number, generateBlock = true): Promise<void> {
    await this.rpc.ask(
      'devnet_setTime',
      { time: seconds, generate_block: generateBlock },
      Anything,
    );
  }

  /** Makes a block this many seconds later than now. */
  async increaseTime(seconds: number): Promise<void> {
    await this.rpc.ask('devnet_increaseTime', { time: seconds }, Anything);
  }
}
