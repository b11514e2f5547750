import { ec, hash } from 'starknet';
import { toHex } from '../../src/engine/felt.js';
import { substituteProof } from '../../src/engine/proof-facts.js';
import type { GenesisAccount } from '../../src/engine/genesis.js';

/** Contract call that an account makes. */
export interface Call {
  readonly to: bigint;
  readonly entrypoint: string;
  readonly calldata?: readonly bigint[];
}

/** Properties of an INVOKE that a test may choose. */
export interface InvokeChoices {
  readonly account: GenesisAccount;
  readonly nonce?: bigint;
  readonly calls?: readonly Call[];
  /** Calldata that replaces the calldata of `calls`. */
  readonly calldata?: readonly bigint[];
  readonly tip?: bigint;
  readonly l1Gas?: readonly [amount: bigint, price: bigint];
  readonly l1DataGas?: readonly [amount: bigint, price: bigint];
  readonly l2Gas?: readonly [amount: bigint, price: bigint];
  readonly chainId?: string;
  readonly proofFacts?: readonly bigint[];
  /** Proof as base64 text. @default the substitute for the facts */
  readonly proof?: string;
}

/** INVOKE v3 in JSON-RPC format, built from the specification and signed by starknet.js. */
export interface WireInvoke {
  readonly hash: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const SN_TEST = '0x534e5f54455354';

/** Encodes the calldata of a Cairo 1 multicall. */
export function multicall(calls: readonly Call[]): bigint[] {
  return [
    BigInt(calls.length),
    ...calls.flatMap(({ to, entrypoint, calldata = [] }) => [
      to,
      BigInt(hash.getSelectorFromName(entrypoint)),
      BigInt(calldata.length),
      ...calldata,
    ]),
  ];
}

/** Builds and signs an INVOKE whose maximum prices are three times the sandbox's default prices. */
export function wireInvoke(choices: InvokeChoices): WireInvoke {
  const { account, nonce = 0n, calls = [], tip = 0n, proofFacts = [] } = choices;
  const {
    l1Gas = [256n, 120_000_000_000_000n],
    l1DataGas = [20_480n, 3_000_000_000n],
    l2Gas = [1_200_000_000n, 24_000_000_000n],
  } = choices;
  const calldata = choices.calldata ?? multicall(calls);
  const computed = hash.calculateInvokeTransactionHash({
    senderAddress: account.address,
    version: '0x3',
    compiledCalldata: calldata.map(String),
    // CAST: the type lists two public networks; the hash takes any chain id.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    chainId: (choices.chainId ?? SN_TEST) as '0x534e5f4d41494e',
    nonce,
    accountDeploymentData: [],
    nonceDataAvailabilityMode: 0,
    feeDataAvailabilityMode: 0,
    resourceBounds: {
      l1_gas: hashBounds(l1Gas),
      l1_data_gas: hashBounds(l1DataGas),
      l2_gas: hashBounds(l2Gas),
    },
    tip,
    paymasterData: [],
    ...(proofFacts.length > 0 && { proofFacts: [...proofFacts] }),
  });
  const { r, s } = ec.starkCurve.sign(computed, toHex(account.privateKey));
  return {
    hash: toHex(BigInt(computed)),
    body: {
      type: 'INVOKE',
      version: '0x3',
      sender_address: toHex(account.address),
      calldata: calldata.map(toHex),
      signature: [toHex(r), toHex(s)],
      nonce: toHex(nonce),
      resource_bounds: {
        l1_gas: wireBounds(l1Gas),
        l1_data_gas: wireBounds(l1DataGas),
        l2_gas: wireBounds(l2Gas),
      },
      tip: toHex(tip),
      paymaster_data: [],
      account_deployment_data: [],
      nonce_data_availability_mode: 'L1',
      fee_data_availability_mode: 'L1',
      ...(proofFacts.length > 0 && {
        proof_facts: proofFacts.map(toHex),
        proof: choices.proof ?? substituteProof(proofFacts),
      }),
    },
  };
}

function hashBounds([amount, price]: readonly [bigint, bigint]): {
  max_amount: bigint;
  max_price_per_unit: bigint;
} {
  return { max_amount: amount, max_price_per_unit: price };
}

function wireBounds([amount, price]: readonly [bigint, bigint]): Record<string, string> {
  return { max_amount: toHex(amount), max_price_per_unit: toHex(price) };
}
