import { LIMB_COUNT } from '../field.js';

/**
 * Field element in the generated code: the names of its limbs, or expressions for the limbs, low
 * limb first.
 */
export type Limbs = readonly string[];

/** Block of AssemblyScript without branches, in which every value is an i64. */
export class Code {
  readonly #statements: string[] = [];
  #names = 0;

  /** Assigns an expression to a new variable and returns the variable’s name. */
  define(expression: string): string {
    const name = `v${this.#names}`;
    this.#names += 1;
    this.say(`const ${name}: i64 = ${expression};`);
    return name;
  }

  defineAll(limbs: Limbs): Limbs {
    return limbs.map((limb) => this.define(limb));
  }

  store(pointer: string, limbs: Limbs): void {
    limbs.forEach((limb, index) => this.say(`store<i64>(${pointer}, ${limb}, ${8 * index});`));
  }

  assign(variables: Limbs, limbs: Limbs): void {
    variables.forEach((variable, index) => this.say(`${variable} = ${limbs[index]};`));
  }

  say(statement: string): void {
    this.#statements.push(statement);
  }

  /** Returns all statements of the block, in braces. */
  toText(): string {
    return ['{', ...this.#statements, '}'].join('\n');
  }
}

export const ELEMENT_BYTES = 8 * LIMB_COUNT;
/** Number of bytes of a constant: its limbs are in [0, 2^29) and need four bytes each. */
export const CONSTANT_BYTES = 4 * LIMB_COUNT;

/**
 * Returns expressions that load a field element from memory. Loading a limb at each use costs less
 * than storing the limb in a variable.
 */
export function elementAt(pointer: string): Limbs {
  return eachLimb((index) => `load<i64>(${pointer}, ${8 * index})`);
}

export function constantAt(pointer: string, position = 0): Limbs {
  return eachLimb(
    (index) => `i64(load<i32>(${pointer}, ${CONSTANT_BYTES * position + 4 * index}))`,
  );
}

export function eachLimb(limb: (index: number) => string): Limbs {
  return Array.from({ length: LIMB_COUNT }, (_, index) => limb(index));
}
