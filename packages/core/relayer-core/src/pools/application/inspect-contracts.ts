import type { Felt, Logger } from '@sotto/kernel';
import {
  FIRST_SIERRA_CHARGED_BY_GAS,
  STEPS_FACTOR,
  isChargedBySteps,
  verifierProblem,
  type ExpectedVerifier,
  type VerifierProblem,
} from '../domain/contract-class.js';
import type { ContractClasses } from '../ports/contract-classes.port.js';

/** Contract that withdrawals call, with its role as written to logs. */
export interface InspectedContract {
  /** Role of the contract in logs: `lane`, `pool`, `verifier`. */
  readonly role: string;
  readonly address: Felt;
}

export interface InspectionPolicy {
  /** Lanes and pools to inspect. Verifiers are inspected in addition. */
  readonly contracts: readonly InspectedContract[];
  readonly verifiers: readonly ExpectedVerifier[];
  /**
   * Class hashes of verifiers that were generated from the verification key in use; an empty list
   * if unknown.
   */
  readonly classesOfKey: readonly Felt[];
}

/**
 * Compares the deployed contracts that withdrawals call with the settings. Two facts are checked:
 * whether the pools' verifiers use the verification key of this service, and whether a class makes
 * withdrawals more expensive than necessary.
 */
export class InspectContracts {
  readonly #inspected = new Set<Felt>();
  #problem: VerifierProblem | 'VERIFIERS_NOT_LOOKED_AT' | null;

  constructor(
    private readonly classes: ContractClasses,
    private readonly policy: InspectionPolicy,
    private readonly logger: Logger,
  ) {
    this.#problem = policy.verifiers.length === 0 ? null : 'VERIFIERS_NOT_LOOKED_AT';
  }

  /**
   * Returns the problem of the pools' verifiers found by the last inspection. Null if the
   * inspection found no problem, or if no verifier is configured.
   */
  problem(): VerifierProblem | 'VERIFIERS_NOT_LOOKED_AT' | null {
    return this.#problem;
  }

  /**
   * Inspects all contracts. Reads the Sierra of each class once. Rejects with a `DomainError` if
   * the node is unavailable; in this case the results of earlier inspections do not change.
   */
  async execute(): Promise<void> {
    const { contracts, verifiers, classesOfKey } = this.policy;
    const all = [...verifiers.map(({ address }) => ({ role: 'verifier', address })), ...contracts];
    const hashes = await this.classes.hashesAt(all.map(({ address }) => address));
    const problems = verifiers.map((verifier, index) =>
      verifierProblem(verifier, hashes[index] ?? null, classesOfKey),
    );
    this.#note(problems);
    for (const [index, contract] of all.entries()) {
      const hash = hashes[index] ?? null;
      if (hash !== null) await this.#inspect(contract, hash);
    }
  }

  #note(problems: readonly (VerifierProblem | null)[]): void {
    const index = problems.findIndex((problem) => problem !== null);
    const problem = problems[index] ?? null;
    if (problem !== null && problem !== this.#problem) {
      this.logger.error(
        { problem, verifier: this.policy.verifiers[index]?.address },
        'a deployed verifier differs from the settings or from the verification key: not ready',
      );
    }
    this.#problem = problem;
  }

  async #inspect({ role, address }: InspectedContract, classHash: Felt): Promise<void> {
    if (this.#inspected.has(classHash)) return;
    const version = await this.classes.sierraVersionOf(classHash);
    this.#inspected.add(classHash);
    if (!isChargedBySteps(version)) return;
    this.logger.warn(
      { role, address, classHash, sierra: version?.join('.') ?? null },
      `a class below Sierra ${FIRST_SIERRA_CHARGED_BY_GAS.join('.')} is charged by steps, and so are all calls through it: a withdrawal costs up to ${STEPS_FACTOR} times as much gas (docs/measured/gas.md)`,
    );
  }
}
