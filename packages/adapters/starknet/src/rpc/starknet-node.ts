import type { Felt } from '@sotto/kernel';
import type { z } from 'zod';

/** What an answer shows of the node that gave it. */
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

/** One read. Its result is parsed before anybody sees it. */
export interface NodeCall<T> {
  readonly method: string;
  /** An object, or one that is a JSON text already, in UTF-8. */
  readonly params: RpcParams;
  readonly result: z.ZodType<T>;
  /** The result that a failure of this call alone stands for; undefined where it is a failure. */
  readsAs?(failure: unknown): T | undefined;
  /** What the result shows of the node, for those that watch several. */
  shows?(result: T): NodeShown;
}

export type Results<Calls extends readonly NodeCall<unknown>[]> = {
  readonly [Index in keyof Calls]: Calls[Index] extends NodeCall<infer T> ? T : never;
};

/** Reads of the chain, by one node or by whichever of several answers best. */
export abstract class StarknetNode {
  /**
   * A read; never for anything that changes the chain, since it is sent again when the connection
   * breaks.
   * @throws NodeUnavailable, UpstreamTimedOut, NodeMalformedAnswer or NodeRefusedCall
   */
  abstract call<T>(call: NodeCall<T>): Promise<T>;

  /**
   * Reads that one node answers side by side in one request, in this order; more than the node's
   * largest batch make a request of their own.
   * @throws as {@link call} does, for the first that fails
   */
  abstract together<const Calls extends readonly NodeCall<unknown>[]>(
    calls: Calls,
  ): Promise<Results<Calls>>;
}
