import type { Felt } from '@sotto/kernel';
import { blockHashAt, HEAD } from '../block-head.js';
import { CHAIN_ID } from '../chain-id.js';
import type { NodeCall, NodeHead } from '../rpc/starknet-node.js';
import { WireU64 } from '../wire.js';
import { commonHeight, compareNodes, type NodeReading } from './compare-nodes.js';
import type { WatchedNode } from './watched-node.js';

interface PollSettings {
  readonly accounts: readonly Felt[];
  readonly maxLagBlocks: number;
}

/** Polls all nodes: reads their chain ids and heads, and compares their values. */
export class NodePoll {
  constructor(
    private readonly nodes: readonly WatchedNode[],
    private readonly settings: PollSettings,
  ) {}

  /** @param reference the node whose value wins if the votes are tied */
  async run(reference: string): Promise<void> {
    const heads = await Promise.all(
      this.nodes.map(async (node) => ({ node, head: await this.#headOf(node) })),
    );
    const there = heads.flatMap(({ node, head }) =>
      head === null || node.health.chainOk !== true ? [] : [{ node, head }],
    );
    const height = commonHeight(there.map(({ head }) => head));
    const readings = await Promise.all(
      there.map(async ({ node, head }) => this.#readingOf(node, head, height)),
    );
    const comparison = compareNodes(readings, reference, this.settings.maxLagBlocks);
    for (const { node } of there) {
      const { disagreements = [], isContradicted = false } = comparison.get(node.name) ?? {};
      node.health.isBehind = disagreements.includes('head');
      node.health.isContradicted = isContradicted;
      node.disagrees(disagreements);
    }
  }

  async #headOf(node: WatchedNode): Promise<NodeHead | null> {
    try {
      const [, { block_number: number, block_hash: hash }] = await node.poll([CHAIN_ID, HEAD]);
      return { number, hash };
    } catch {
      // The failure is recorded in the node's health.
      return null;
    }
  }

  async #readingOf(node: WatchedNode, head: NodeHead, height: number): Promise<NodeReading> {
    const [block, ...nonces] = await Promise.allSettled([
      node.call(blockHashAt(height)),
      ...this.settings.accounts.map(async (account) => node.call(nonceAt(account, height))),
    ]);
    return {
      name: node.name,
      head,
      commonHash: block.status === 'fulfilled' ? block.value : null,
      nonces: new Map(
        this.settings.accounts.flatMap((account, index) => {
          const nonce = nonces[index];
          return nonce?.status === 'fulfilled' ? [[account, nonce.value] as const] : [];
        }),
      ),
    };
  }
}

function nonceAt(account: Felt, height: number): NodeCall<bigint> {
  return {
    method: 'starknet_getNonce',
    params: { block_id: { block_number: height }, contract_address: account },
    result: WireU64,
  };
}
