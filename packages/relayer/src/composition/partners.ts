import { PartnerFindings, type PartnerFinding } from '@sotto/http-client';
import type { Logger } from '@sotto/kernel';

/** Partners whose replies are counted, by their names in metrics and alerts. */
const PARTNERS = ['aggregator', 'prices', 'exchange', 'rewards', 'bridge'] as const;
/** Name of a partner. Sources of daily closes are partners too, and there may be several. */
export type PartnerName = (typeof PARTNERS)[number] | `closes-${number}`;

/** Name of a source of daily closes. Closes are stored under it. */
export const closesName = (index: number): PartnerName => `closes-${index + 1}`;

/** Findings about each partner. One object for all adapters of the process. */
export class Partners {
  readonly #findings: ReadonlyMap<string, PartnerFindings>;

  constructor(logger: Logger, closes: readonly PartnerName[]) {
    const report = ({ partner, at }: PartnerFinding): void =>
      logger.warn({ partner, at }, 'an element of a partner’s answer was left out');
    this.#findings = new Map(
      [...PARTNERS, ...closes].map((name) => [name, new PartnerFindings(name, report)]),
    );
  }

  get all(): readonly PartnerFindings[] {
    return [...this.#findings.values()];
  }

  of(name: PartnerName): PartnerFindings {
    const findings = this.#findings.get(name);
    if (findings === undefined) throw new Error(`${name} is no partner`);
    return findings;
  }
}
