import { feltToBigInt, toFelt, type Felt } from '@sotto/kernel';
import type { ManualClock } from '@sotto/kernel/testing';
import { Chain, Gateway, Mempool, Revert, SandboxClock, balanceKey, type ContractModel } from '@sotto/sandbox/engine';

export const LANES: readonly Felt[] = [toFelt('0x1a4e'), toFelt('0x2a4e')];
export const POOL: Felt = toFelt('0xb7c');
const STRK = 0x57124n;
/** 300 STRK a lane: ten transactions in flight at the floor price, and less than one of the price jumps. */
const BALANCE_FRI = 300n * 10n ** 18n;
export const FLOOR_FRI = 8_000_000_000n;

/** A pool as far as the machine is concerned: a note is spent once, unless the pool does not look. */
function pool(hasNullifiers: boolean): ContractModel {
  return {
    name: 'pool',
    classHash: 0xb7cn,
    entrypoints: {
      withdraw: (context, [note = 0n]) => {
        const spent = context.get(`spent:${note}`);
        if (hasNullifiers && spent > 0n) throw new Revert('nullifier is spent');
        context.set(`spent:${note}`, spent + 1n);
        return [];
      },
    },
  };
}

const account: ContractModel = { name: 'account', classHash: 0xacc0n, entrypoints: { __execute__: () => [] } };
const token: ContractModel = { name: 'token', classHash: 0x70c3n, entrypoints: {} };

/** A gateway that looks at no signature: a check costs 7 ms, and keys are none of the machine's business. */
class TrustingGateway extends Gateway {
  override isSigned(): boolean {
    return true;
  }
}

export interface TestChain {
  readonly chain: Chain;
  readonly gateway: Gateway;
}

/** A sandbox chain with two lanes and one pool, that moves by hand and lives by the machine's clock. */
export function startChain(clock: ManualClock, hasNullifiers: boolean): TestChain {
  const time = new SandboxClock(() => clock.nowMs());
  const mempool = new Mempool({ lifetimeMs: 300_000, replacementPercent: 10n }, () => time.nowMs());
  const chain = new Chain(
    {
      chainId: 'SN_TEST',
      feeToken: STRK,
      accounts: [],
      contracts: [
        {
          address: STRK,
          model: token,
          storage: Object.fromEntries(LANES.map((lane) => [balanceKey(feltToBigInt(lane)), BALANCE_FRI])),
        },
        { address: feltToBigInt(POOL), model: pool(hasNullifiers) },
        ...LANES.map((lane) => ({ address: feltToBigInt(lane), model: account })),
      ],
    },
    mempool,
    time,
    { l1Gas: 40_000_000_000_000n, l1DataGas: 1_000_000_000n, l2Gas: FLOOR_FRI },
  );
  const gateway = new TrustingGateway(chain, {
    minL2GasPriceFri: FLOOR_FRI,
    maxL2GasAmount: 1_210_000_000n,
    maxCalldataFelts: 5_000,
    maxSignatureFelts: 4_000,
    maxNonceGap: 200n,
    trustSignatures: false,
  });
  return { chain, gateway };
}
