import type { Felt } from '@sotto/kernel';
import type { BlockRef, ChainEvidence, ChainReader } from '@sotto/submission-core';
import { instead, over, type Mutant, type MutantPorts } from './mutant.js';

const never = { applied: false, because: 'proves_nothing' } as const;

/**
 * Adds these blocks to the evidence of the closing read, even if the node's chain has different
 * blocks at these heights.
 */
function showing(evidence: ChainEvidence, blocks: Iterable<readonly [number, Felt]>) {
  const shown = [...blocks].filter(([number]) => number !== evidence.first.number);
  return { ...evidence, blocks: new Map([...evidence.blocks, ...shown]) };
}

/** Mutant that accepts a receipt without the closing read, in cases where `trusts` returns true. */
function trusting(
  trusts: (reader: ChainReader, hash: Felt, block: BlockRef) => Promise<boolean>,
): (ports: MutantPorts) => MutantPorts {
  return ({ reader, ...ports }) => {
    const trusted = new Map<number, Felt>();
    return {
      ...ports,
      reader: over(reader, {
        transactionStatuses: async (hashes, sentTo) => {
          const statuses = await reader.transactionStatuses(hashes, sentTo);
          for (const [index, status] of statuses.entries()) {
            const hash = hashes[index];
            if (hash === undefined || status.kind !== 'accepted') continue;
            if (await trusts(reader, hash, status.block))
              trusted.set(status.block.number, status.block.hash);
          }
          return statuses;
        },
        confirm: async (first, heights) => {
          const evidence = showing(await reader.confirm(first, heights), trusted);
          trusted.clear();
          return evidence;
        },
      }),
    };
  };
}

async function isFromClaimNode(reader: ChainReader, hash: Felt, block: BlockRef): Promise<boolean> {
  const [status] = await reader.transactionStatuses([hash]);
  return status?.kind !== 'accepted' || status.block.hash !== block.hash;
}

/**
 * Mutant that stores the first block hash which a closing read returned for a height that L1 has
 * accepted. From then on, the mutant always uses this hash for the height.
 */
function remembering({ reader, ...ports }: MutantPorts): MutantPorts {
  const first = new Map<number, Felt>();
  return {
    ...ports,
    reader: over(reader, {
      confirm: async (head, heights) => {
        const evidence = await reader.confirm(head, heights);
        for (const [number, hash] of evidence.blocks)
          if (!first.has(number)) first.set(number, hash);
        const onL1 = [...first].filter(([number]) => number <= (evidence.l1BlockNumber ?? -1));
        return showing(evidence, onL1);
      },
    }),
  };
}

export const EVIDENCE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a receipt of another view settles',
    kind: 'mixed views',
    ports: trusting(async () => true),
  },
  {
    name: 'a response of the node that got the send settles',
    kind: 'mixed views',
    ports: trusting(isFromClaimNode),
  },
  {
    name: 'a remembered hash decides the finality',
    kind: 'mixed views',
    ports: remembering,
  },
  {
    name: 'the L1 height and the hashes are read in separate requests',
    kind: 'mixed views',
    ports: ({ reader, ...ports }) => ({
      ...ports,
      reader: over(reader, {
        confirm: async (first, heights) => {
          const { l1BlockNumber } = await reader.head([]);
          return { ...(await reader.confirm(first, heights)), l1BlockNumber };
        },
      }),
    }),
    coveredBy:
      'a wrong final row is reopened when two heads contradict it; in no run did a caller get the wrong finality before',
  },
  {
    name: 'the closing read is a request for each height',
    kind: 'mixed views',
    ports: ({ reader, ...ports }) => ({
      ...ports,
      reader: over(reader, {
        confirm: async (first, heights) => {
          const read = await Promise.all(
            [...heights, first.number].map(
              async (number) => [number, await reader.blockHash(number)] as const,
            ),
          );
          const { blockNumber, blockHash, l1BlockNumber } = await reader.head([]);
          return {
            first,
            last: { number: blockNumber, hash: blockHash },
            blocks: new Map(
              read.flatMap(([number, hash]) => (hash === null ? [] : [[number, hash] as const])),
            ),
            l1BlockNumber,
          };
        },
      }),
    }),
  },
  {
    name: 'a final nonce is never reopened',
    kind: 'mixed views',
    decide: instead('reopen', (event, view, decide) =>
      view.nonce?.settlement?.isFinal === true ? never : decide(event, view),
    ),
  },
  {
    name: 'a nonce is reopened only when the chain has its former height again',
    kind: 'mixed views',
    decide: instead('reopen', (event, view, decide) =>
      event.evidence.last.number < event.block.number ? never : decide(event, view),
    ),
    coveredBy:
      'the reopening is only late; until then an undone outcome is reported, and no rule of the judge limits this time',
  },
];
