import type { Felt } from '@sotto/kernel';
import type { z } from 'zod';

/** Facts about a node that the result of a call reveals. */
export interface NodeShown {
  readonly chainId?: Felt;
  readonly head?: NodeHead;
}

/** The newest accepted block of one node. */
export interface NodeHead {
  readonly number: number;
  readonly hash: Felt;
}

export type RpcParams = Readonly<Record<string, unknown>> | Uint8Array;

/** One read of the chain. The result is parsed before it is returned. */
export interface NodeCall<T> {
  readonly method: string;
  /** Parameters of the call, as an object or as JSON text in UTF-8. */
  readonly params: RpcParams;
  readonly result: z.ZodType<T>;
  /**
   * Converts a failure of this call into a result. Returns undefined if the failure cannot be
   * converted.
   */
  readsAs?(failure: unknown): T | undefined;
  /**
   * Extracts facts about the node from the result. A node set uses these facts to monitor its
   * nodes.
   */
  shows?(result: T): NodeShown;
}

export type Results<Calls extends readonly NodeCall<unknown>[]> = {
  readonly [Index in keyof Calls]: Calls[Index] extends NodeCall<infer T> ? T : never;
};

/** Reads from the chain, through a single node or the best node of a set. */
export abstract class StarknetNode {
  /**
   * Performs a read. Calls that change the chain are not allowed, because a call is repeated if the
   * connection breaks.
   * @throws NodeUnavailable, UpstreamTimedOut, NodeMalformedAnswer or NodeRefusedCall
   */
  abstract call<T>(call: NodeCall<T>): Promise<T>;

  /**
   * Performs the reads on one node in one request, in the order of `calls`. If there are more reads
   * than the maximum batch size, the group still gets a request that it shares with no other reads.
   * @throws the errors of {@link call}, for the first failed read
   */
  abstract together<const Calls extends readonly NodeCall<unknown>[]>(
    calls: Calls,
  ): Promise<Results<Calls>>;
}
