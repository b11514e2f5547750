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

/** Prices of one unit of gas in fri. An omitted price does not change. */
export interface DevnetGasPrices {
  readonly l1GasFri?: bigint;
  readonly l1DataGasFri?: bigint;
  readonly l2GasFri?: bigint;
}

/**
 * Client of the commands that only a devnet supports.
 * @throws Error from every method if devnet rejects the command, with the node's message
 */
export class DevnetControls {
  constructor(private readonly rpc: JsonRpc) {}

  /**
   * Returns the predeployed accounts with their keys. The keys are derived from the seed, so they
   * are public.
   */
  async predeployedAccounts(): Promise<readonly KeyedAccount[]> {
    const accounts = await this.rpc.query('devnet_getPredeployedAccounts', {}, Accounts);
    return accounts.map(({ address, public_key, private_key }) => ({
      address,
      publicKey: public_key,
      privateKey: private_key,
    }));
  }

  /** Closes the open block, even if the block contains no transaction. Returns the block's hash. */
  async createBlock(): Promise<bigint> {
    return (await this.rpc.query('devnet_createBlock', {}, CreatedBlock)).block_hash;
  }

  /**
   * Undoes this block and all later blocks, and returns their hashes. Needs the state archive
   * ({@link DevnetOptions.stateArchive}).
   */
  async abortBlocks(startingBlockHash: bigint): Promise<readonly bigint[]> {
    const params = { starting_block_id: { block_hash: toFelt(startingBlockHash) } };
    return (await this.rpc.query('devnet_abortBlocks', params, AbortedBlocks)).aborted;
  }

  /** Marks this block and all earlier blocks as accepted on L1, and returns their hashes. */
  async acceptOnL1(startingBlockHash: bigint): Promise<readonly bigint[]> {
    const params = { starting_block_id: { block_hash: toFelt(startingBlockHash) } };
    return (await this.rpc.query('devnet_acceptOnL1', params, AcceptedBlocks)).accepted;
  }

  /** Mints STRK (`FRI`) or ETH (`WEI`) for an address, in the smallest unit. */
  async mint(address: bigint, amount: bigint, unit: 'FRI' | 'WEI' = 'FRI'): Promise<void> {
    await this.rpc.query('devnet_mint', { address: toFelt(address), amount, unit }, Anything);
  }

  /**
   * Sets the gas prices of the next block.
   * @param generateBlock true to create that block immediately.
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
    await this.rpc.query('devnet_setGasPrice', params, Anything);
  }

  /**
   * Sets the time of the next block, in seconds since the Unix epoch.
   * @param generateBlock true to create that block immediately.
   * @default true
   */
  async setTime(seconds: number, generateBlock = true): Promise<void> {
    await this.rpc.query(
      'devnet_setTime',
      { time: seconds, generate_block: generateBlock },
      Anything,
    );
  }

  /** Creates a block whose time is this many seconds later than now. */
  async increaseTime(seconds: number): Promise<void> {
    await this.rpc.query('devnet_increaseTime', { time: seconds }, Anything);
  }
}
