import type { Felt } from '@sotto/kernel';
import type { ContractClasses, SierraVersion } from '@sotto/relayer-core';
import { z } from 'zod';
import { isRejection, RpcCode } from './rpc/errors.js';
import type { StarknetNode } from './rpc/starknet-node.js';
import { LATEST, WireFelt, WireU32 } from './wire.js';

/**
 * Reads only the beginning of the Sierra program: the Sierra version, then the compiler version.
 * The field `contract_class_version` is not read: it is the version of the class format and
 * unrelated to the Sierra version.
 */
const Sierra = z.object({
  sierra_program: z
    .array(z.unknown())
    .transform((program) => program.slice(0, 3))
    .pipe(z.tuple([WireU32, WireU32, WireU32])),
});
/** Class of Cairo 0, which has a compressed program instead of a Sierra program. */
const Cairo0 = z.object({ program: z.string() }).transform(() => null);
const ContractClass = z.union([
  Sierra.transform(({ sierra_program: version }): SierraVersion => version),
  Cairo0,
]);

/**
 * Reads classes at the newest accepted block. Classes that are requested together share one
 * request.
 */
export class StarknetContractClasses implements ContractClasses {
  constructor(private readonly node: StarknetNode) {}

  async hashesAt(addresses: readonly Felt[]): Promise<readonly (Felt | null)[]> {
    return Promise.all(addresses.map(async (address) => this.#hashAt(address)));
  }

  async sierraVersionOf(classHash: Felt): Promise<SierraVersion | null> {
    return this.node.call({
      method: 'starknet_getClass',
      params: { block_id: LATEST, class_hash: classHash },
      result: ContractClass,
    });
  }

  async #hashAt(address: Felt): Promise<Felt | null> {
    const params = { block_id: LATEST, contract_address: address };
    try {
      return await this.node.call({ method: 'starknet_getClassHashAt', params, result: WireFelt });
    } catch (error) {
      if (isRejection(error, RpcCode.contractNotFound)) return null;
      throw error;
    }
  }
}
