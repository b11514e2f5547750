import type { JourneyError } from '../journeys/journey-error.js';
import { ownError } from '../journeys/own-errors.js';
import {
  askRelayers,
  type Relayer,
  type RelayersAsked,
  type RelayerWanted,
  type UnusableRelayer,
} from './relayers.js';

/** How often one relayer is tried in a run with new proofs, quotes or signatures. */
const MOST_TRIES = 3;
/** How long a relayer that takes nothing now is left alone, the first time. */
const REST_MS = 30_000;

const FOR_GOOD: ReadonlySet<UnusableRelayer['code']> = new Set([
  'POOL_NOT_SERVED',
  'RELAYER_OF_ANOTHER_CHAIN',
  'SIGNATURE_FORGED',
  'SIGNER_KEY_MALFORMED',
]);

/** Which relayers a run asks: those that have refused rest for a while, or for good. */
export class RelayerChoice {
  readonly #relayers: readonly Relayer[];
  readonly #restingUntilMs = new Map<string, number>();
  readonly #tries = new Map<string, number>();
  /** The last refusal, for what fails because of it. */
  lastRefusal: JourneyError | undefined;

  constructor(relayers: readonly Relayer[]) {
    this.#relayers = relayers;
  }

  /** Whether none will ever be asked again in this run. */
  get isExhausted(): boolean {
    return this.#relayers.every(({ baseUrl }) => this.#restingUntilMs.get(baseUrl) === Infinity);
  }

  /** Why no relayer takes the request now, or (where it {@link isExhausted}) in this run. */
  whyNone({ usable, unusable }: RelayersAsked): JourneyError {
    const isAllAtRest = usable.length + unusable.length === 0;
    if (this.lastRefusal !== undefined && (isAllAtRest || this.isExhausted))
      return this.lastRefusal;
    const code = this.isExhausted ? 'NO_RELAYER_FOR_POOL' : 'NO_USABLE_RELAYER';
    return ownError(code, { relayers: unusable });
  }

  /** One that the wallet does not list any more still has what was sent to it. */
  at(baseUrl: string): Relayer {
    const listed = this.#relayers.find((relayer) => relayer.baseUrl === baseUrl);
    return listed ?? { baseUrl, signerKey: '' };
  }

  /** Asks those that do not rest. @throws the signal's reason when that aborts */
  async ask(wanted: RelayerWanted): Promise<RelayersAsked> {
    const nowMs = Date.now();
    const awake = this.#relayers.filter(
      ({ baseUrl }) => (this.#restingUntilMs.get(baseUrl) ?? 0) <= nowMs,
    );
    const asked = await askRelayers(awake, wanted);
    for (const { baseUrl, code } of asked.unusable) if (FOR_GOOD.has(code)) this.dismiss(baseUrl);
    return asked;
  }

  /** Nothing of a request can land there; its `retry` says when asking again may help. */
  refused(baseUrl: string, error: JourneyError): void {
    this.lastRefusal = error;
    const tries = (this.#tries.get(baseUrl) ?? 0) + 1;
    this.#tries.set(baseUrl, tries);
    const { retry } = error;
    if (retry === 'never' || (retry !== 'same' && tries >= MOST_TRIES)) this.dismiss(baseUrl);
    else if (retry === 'same' || retry === 'later') this.rest(baseUrl, tries);
  }

  rest(baseUrl: string, times = 1): void {
    this.#restingUntilMs.set(baseUrl, Date.now() + REST_MS * times);
  }

  dismiss(baseUrl: string): void {
    this.#restingUntilMs.set(baseUrl, Infinity);
  }
}
