import { loadContract } from '@sotto/contracts';
import { toFelt } from '@sotto/kernel';
import { ec } from 'starknet';
import type { KeyedAccount } from '../node/sender.js';
import { RpcChainNode } from '../node/rpc-chain-node.js';
import { StarknetSender, type SierraArtefact } from '../node/starknet-sender.js';
import { carryOut, type Accomplished } from '../plan/carry-out.js';
import type { DeployedStack } from './deployed-stack.js';
import { planStackContracts, type VerifierChoice } from './stack-contracts.js';
import { planSetUps, type Funding } from './stack-set-ups.js';

/** Options for the deployment of a stack. All options have defaults. */
export interface DeployStackOptions {
  /**
   * Salt of all addresses. Each salt yields a separate stack on the same chain. @default 'sotto'
   */
  readonly salt?: string | undefined;
  /**
   * Verifier of the pools.
   * @default the development verifier of `@sotto/contracts`, which does not check the pairing
   */
  readonly verifier?: VerifierChoice | undefined;
  /**
   * Classes that the verifier calls as libraries. A class is declared if it is missing.
   * @default no libraries
   */
  readonly libraries?: readonly SierraArtefact[] | undefined;
  /**
   * Class of the stack's accounts, whose constructor must have a public key as its only parameter.
   * @default the deployer's class
   */
  readonly accountClassHash?: string | undefined;
  /** Amounts for accounts and exchanges. @default 100 STRK to each account, no reserves */
  readonly funding?: Partial<Funding> | undefined;
  /** Function that receives progress lines for the user. @default discarded */
  readonly report?: ((line: string) => void) | undefined;
}

/** Deployed stack, and the work that was done for it. */
export interface StackDeployment extends Accomplished {
  readonly stack: DeployedStack;
  /** Class hash of the verifier on chain. */
  readonly verifierClass: string;
}

/**
 * Error for mainnet: the stack's owner can mint its ERC-20 tokens without limit, and its verifier
 * does not check the pairing. The message is displayed to the user.
 */
export class MainnetRefused extends Error {
  constructor() {
    super('this is the main network: the development stack must never be deployed there');
    this.name = 'MainnetRefused';
  }
}

const MAINNET = 'SN_MAIN';
const ONE_STRK_FRI = 10n ** 18n;
const DEFAULT_FUNDING: Funding = { strkEachFri: 100n * ONE_STRK_FRI, reserves: {} };

/**
 * Deploys the development stack on a chain: declares, deploys and funds the missing parts. If no
 * part is missing, sends no transaction.
 * @param deployer account that owns the stack and pays for it
 * @throws MainnetRefused; Error if the node fails, or a transaction is rejected or reverts. After
 *   such an error, the call may be repeated
 */
export async function deployStack(
  rpcUrl: string,
  deployer: Pick<KeyedAccount, 'address' | 'privateKey'>,
  { salt = 'sotto', report = () => undefined, ...options }: DeployStackOptions = {},
): Promise<StackDeployment> {
  const node = new RpcChainNode(rpcUrl);
  const chainId = await node.chainId();
  if (chainId === MAINNET) throw new MainnetRefused();
  report(`deploying to ${chainId} as ${toFelt(deployer.address)}`);
  const funding = { ...DEFAULT_FUNDING, ...options.funding };
  const { stack, contracts } = planStackContracts({
    chainId,
    deployer: {
      ...deployer,
      publicKey: BigInt(ec.starkCurve.getStarkKey(toFelt(deployer.privateKey))),
    },
    accountClassHash:
      options.accountClassHash ??
      (await classHashOf(
        node,
        deployer.address,
        'the deployer’s account is not deployed on this chain',
      )),
    verifier: options.verifier ?? {
      kind: 'class',
      contractClass: loadContract('UncheckedGroth16Verifier'),
    },
    salt,
    reserved: (['STRK', 'ETH'] as const).filter((symbol) => funding.reserves[symbol] !== undefined),
    load: loadContract,
  });
  const senderOf = (account: Pick<KeyedAccount, 'address' | 'privateKey'>): StarknetSender =>
    new StarknetSender(rpcUrl, node, account);
  const accomplished = await carryOut(
    { contracts, setUps: planSetUps(stack, funding), libraries: options.libraries ?? [] },
    {
      node,
      deployer: senderOf(deployer),
      senderAt: (address) => {
        const account = Object.values(stack.accounts).find((known) => known.address === address);
        if (account === undefined) throw new RangeError('the stack has no such account');
        return senderOf(account);
      },
      report,
    },
  );
  return {
    stack,
    verifierClass: await classHashOf(
      node,
      stack.verifier,
      'the verifier is not deployed on this chain',
    ),
    ...accomplished,
  };
}

async function classHashOf(
  node: RpcChainNode,
  address: bigint,
  otherwise: string,
): Promise<string> {
  const [classHash] = await node.classHashesAt([address]);
  if (classHash === undefined) throw new Error(otherwise);
  return toFelt(classHash);
}
