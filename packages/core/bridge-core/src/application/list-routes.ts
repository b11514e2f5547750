import {
  BRIDGE_CHAINS,
  STRK,
  assetsOf,
  type BridgeAsset,
  type BridgeChain,
  type Direction,
} from '../domain/catalogue.js';

export interface BridgeRoute {
  readonly direction: Direction;
  readonly from: BridgeAsset;
  readonly to: BridgeAsset;
}

/**
 * Lists the supported transfers. A solver may be unavailable for a listed transfer; only a quote
 * shows that a solver executes the transfer now.
 */
export class ListRoutes {
  constructor(private readonly chains: readonly BridgeChain[] = BRIDGE_CHAINS) {}

  execute(): readonly BridgeRoute[] {
    return this.chains.flatMap((chain) =>
      assetsOf(chain).flatMap((asset) =>
        chain.directions.map((direction) =>
          direction === 'in'
            ? { direction, from: asset, to: STRK }
            : { direction, from: STRK, to: asset },
        ),
      ),
    );
  }
}
