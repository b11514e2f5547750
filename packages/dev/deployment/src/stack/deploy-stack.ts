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

/** Deployment options of a stack; all have a default. */
export interface DeployStackOptions {
  /**
   * Salt of all addresses; each text yields a separate stack on the same chain. @default 'sotto'
   */
  readonly salt?: string | undefined;
  /**
   * Verifier of the pools.
   * @default the development verifier of `@sotto/contracts`, which checks no pairing
   */
  readonly verifier?: VerifierChoice | undefined;
  /**
   * Classes that the verifier calls as libraries; declared if missing.
   * @default no libraries
   */
  readonly libraries?: readonly SierraArtefact[] | undefined;
  /**
   * Class of the stack's accounts; its constructor has a public key as its parameter.
   * @default the deployer's class
   */
  readonly accountClassHash?: string | undefined;
  /** @default 100 STRK to each account, no reserves */
  readonly funding?: Partial<Funding> | undefined;
  /** Receives progress lines for the user. @default discarded */
  readonly tell?: ((line: string) => void) | undefined;
}

/** The stack, and the work done for it. */
export interface StackDeployment extends Accomplished {
  readonly stack: DeployedStack;
  /** Class hash of the verifier on chain. */
  readonly verifierClass: string;
}

/**
 * Error for mainnet: the stack mints its tokens at will and its verifier checks no pairing. The
 * message is for the user.
 */
export class MainnetRefused extends Error {
  constructor() {
    super('this is the main network: the development stack must never stand there');
    this.name = 'MainnetRefused';
  }
}

const MAINNET = 'SN_MAIN';
const ONE_STRK_FRI = 10n ** 18n;
const DEFAULT_FUNDING: Funding = { strkEachFri: 100n * ONE_STRK_FRI, reserves: {} };

/**
 * Deploys the development stack on a chain: declares, deploys and funds the missing parts. A
 * repeated call sends nothing.
 * @param deployer owns the stack and pays for it
 * @throws MainnetRefused; Error if the node fails, or a transaction is rejected or reverts. The
 *   call may be repeated then
 */
export async function deployStack(
  rpcUrl: string,
  deployer: Pick<KeyedAccount, 'address' | 'privateKey'>,
  { salt = 'sotto', tell = () => undefined, ...options }: DeployStackOptions = {},
): Promise<StackDeployment> {
  const node = new RpcChainNode(rpcUrl);
  const chainId = await node.chainId();
  if (chainId === MAINNET) throw new MainnetRefused();
  tell(`deploying to ${chainId} as ${toFelt(deployer.address)}`);
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
      tell,
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
