import type { BtcPriceObservation, BtcPriceSource } from '../ports/btc-price-source.port.js';
import { ScriptedSource } from './scripted-source.js';

/** A price that stays what a test says. */
export class FixedBtcPrice extends ScriptedSource implements BtcPriceSource {
  constructor(private observation: BtcPriceObservation | null = null) {
    super();
  }

  set(observation: BtcPriceObservation | null): void {
    this.observation = observation;
  }

  async btcPrice(): Promise<BtcPriceObservation | null> {
    return this.read(() => this.observation);
  }
}
