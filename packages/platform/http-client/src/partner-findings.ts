/** Finding about a partner that an operator should see. */
export interface PartnerFinding {
  readonly partner: string;
  /** Place of the first unusable element, without its index or any value of the reply. */
  readonly at: string;
}

/** Statuses with which a partner rejects the operator's credentials. */
export const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);
/**
 * Maximum number of reported places. Most come from schemas, so there are few; names of unknown
 * markets are limited by this.
 */
const MOST_PLACES = 100;
const MAX_PLACE = 60;

/**
 * Counts elements of one partner's replies that were left out, and records whether the partner
 * rejects the operator's credentials. Kept in memory: the count starts at 0 after a restart.
 */
export class PartnerFindings {
  readonly #places = new Set<string>();
  #leftOut = 0;
  #rejectedWith: number | null = null;

  /** @param report receives the first finding of each place */
  constructor(
    readonly partner: string,
    private readonly report: (finding: PartnerFinding) => void = () => undefined,
  ) {}

  /** Number of elements that were left out. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Status of the last reply if it rejected the credentials; null otherwise. */
  get rejectedWith(): number | null {
    return this.#rejectedWith;
  }

  /** Counts one element that was left out. */
  leaveOut(place: string): void {
    this.#leftOut += 1;
    const at = place.slice(0, MAX_PLACE);
    if (this.#places.has(at) || this.#places.size >= MOST_PLACES) return;
    this.#places.add(at);
    this.report({ partner: this.partner, at });
  }

  /** Records the status of a reply. */
  answered(status: number): void {
    this.#rejectedWith = UNAUTHORIZED.has(status) ? status : null;
  }
}
