import { LIMB_BITS, LIMB_COUNT } from '../field.js';
import { eachLimb, type Code, type Limbs } from './code.js';

const MASK = 2 ** LIMB_BITS - 1;

/*
 * In limbs, p = 2^251 + 17·2^192 + 1 has a 1 in the lowest limb, 17·2^18 in limb 6 (192 = 6·29 +
 * 18) and 2^19 in limb 8 (251 = 8·29 + 19). So multiples of p need only shifts and additions, no
 * products.
 */
const MIDDLE = { limb: 6, shift: 18 } as const;
const TOP = { limb: 8, shift: 19 } as const;

/**
 * Returns the expression − 17·2^18·middle − 2^19·top for the given terms, in the form 17a + 2b = a
 * + 2·(b + 8a), which a processor computes in two steps.
 */
function minusMultipleOfP(middle: string | undefined, top: string | undefined): string {
  if (middle !== undefined && top !== undefined)
    return ` - ((${middle} + ((${top} + (${middle} << 3)) << 1)) << ${MIDDLE.shift})`;
  if (middle !== undefined) return ` - ((${middle} + (${middle} << 4)) << ${MIDDLE.shift})`;
  return top === undefined ? '' : ` - (${top} << ${TOP.shift})`;
}

/**
 * Montgomery reduction of a product, column by column. column(k) is the sum of all products of
 * limbs i and j with i + j = k.
 *
 * p ends in a 1. So m, the low 29 bits of a column, is the multiple of p that clears these bits.
 * The other terms of m·p belong to columns six higher (17·2^18·m) and eight higher (2^19·m). The
 * first nine columns become zero; the other columns and the last carry are the result.
 *
 * Limits, for carried a and b with |a|, |b| ≤ 8p (their last limbs are below 2^23 and the other
 * limbs below 2^29):
 * - A column is below 9·2^58, the amount subtracted in it is below 2^52, and a carry is below 2^34.
 *   The total is below 2^62. Intermediate sums may wrap around 2^64, which is harmless.
 * - The result is (a·b − m·p)/R with m in [0, R), so it is in (a·b/R − p, a·b/R]. Moreover |a·b|/R
 *   ≤ 64·p·(p/R), where p/R < 1.0001·2^-10. So the result is carried, and in (−1.07p, 0.07p).
 */
function reduce(code: Code, column: (k: number) => string): Limbs {
  const cleared: string[] = [];
  const result: string[] = [];
  let fromBelow = '';
  for (let k = 0; k < 2 * LIMB_COUNT - 1; k += 1) {
    // Add the carry last, because it depends on the previous column.
    const total = code.define(
      `${column(k)}${minusMultipleOfP(cleared[k - MIDDLE.limb], cleared[k - TOP.limb])}${fromBelow}`,
    );
    (k < LIMB_COUNT ? cleared : result).push(code.define(`${total} & ${MASK}`));
    fromBelow = ` + (${total} >> ${LIMB_BITS})`;
  }
  return [...result, code.define(fromBelow)];
}

/**
 * Computes a²/R. A product of two different limbs is computed once and doubled, so 45
 * multiplications are enough. `a` must consist of variable names.
 */
export function square(code: Code, a: Limbs): Limbs {
  return reduce(code, (k) => {
    const pairs = a.flatMap((limb, i) =>
      i < k - i && k - i < LIMB_COUNT ? [`${limb} * ${a[k - i]}`] : [],
    );
    const doubled = pairs.length === 0 ? [] : [`((${pairs.toReversed().join(' + ')}) << 1)`];
    const itself = k % 2 === 0 ? [`${a[k / 2]} * ${a[k / 2]}`] : [];
    return [...itself, ...doubled].join(' + ');
  });
}

/** Number of limbs in a block, and of columns in a product of two blocks. */
const BLOCK = 3;
const PRODUCT_COLUMNS = 2 * BLOCK - 1;

/**
 * Computes a·b/R in three blocks of three limbs each, by Karatsuba: AᵢBⱼ + AⱼBᵢ = (Aᵢ + Aⱼ)(Bᵢ +
 * Bⱼ) − AᵢBᵢ − AⱼBⱼ. This needs six products of blocks instead of nine: 54 multiplications instead
 * of
 * 81. `a` and `b` must consist of variable names.
 */
export function multiply(code: Code, a: Limbs, b: Limbs): Limbs {
  const pure = (i: number): Lazy => lazily(() => blockProduct(code, blockOf(a, i), blockOf(b, i)));
  const mixed = (i: number, j: number): Lazy =>
    lazily(() =>
      blockProduct(
        code,
        blockSum(code, blockOf(a, i), blockOf(a, j)),
        blockSum(code, blockOf(b, i), blockOf(b, j)),
      ),
    );

  const [p0, p1, p2] = [pure(0), pure(1), pure(2)];
  const parts = [
    { plus: [p0], minus: [] },
    { plus: [mixed(0, 1)], minus: [p0, p1] },
    { plus: [mixed(0, 2), p1], minus: [p0, p2] },
    { plus: [mixed(1, 2)], minus: [p1, p2] },
    { plus: [p2], minus: [] },
  ].map((part, index) => ({ ...part, from: BLOCK * index }));
  return reduce(code, (k) => {
    const here = parts.filter(({ from }) => from <= k && k < from + PRODUCT_COLUMNS);
    const plus = here.flatMap((part) => part.plus.map((product) => product()[k - part.from]));
    const minus = here.flatMap((part) => part.minus.map((product) => product()[k - part.from]));
    return [plus.join(' + '), ...minus].join(' - ');
  });
}

function blockOf(limbs: Limbs, index: number): Limbs {
  return limbs.slice(BLOCK * index, BLOCK * (index + 1));
}

function blockSum(code: Code, a: Limbs, b: Limbs): Limbs {
  return code.defineAll(a.map((limb, i) => `${limb} + ${b[i]}`));
}

function blockProduct(code: Code, a: Limbs, b: Limbs): Limbs {
  const columns = Array.from({ length: PRODUCT_COLUMNS }, (_, k) =>
    a
      .flatMap((limb, i) => (k - i >= 0 && k - i < BLOCK ? [`${limb} * ${b[k - i]}`] : []))
      .join(' + '),
  );
  return code.defineAll(columns);
}

type Lazy = () => Limbs;

/**
 * Delays a computation until its first use, so that the generated code uses few variables at the
 * same time.
 */
function lazily(compute: Lazy): Lazy {
  let value: Limbs | undefined;
  return () => (value ??= compute());
}

/** One term of a sum: a field element and its factor. */
export type Term = readonly [factor: 1 | -1 | 2 | -2 | -3 | 4, limbs: Limbs];

/** Returns Σ factor·element as one expression per limb, without carries. */
export function sum(...terms: readonly Term[]): Limbs {
  return eachLimb(
    (index) => `(${terms.map(([factor, limbs]) => times(factor, limbs[index] ?? '')).join(' ')})`,
  );
}

function times(factor: Term[0], limb: string): string {
  switch (factor) {
    case 1:
      return `+ ${limb}`;
    case -1:
      return `- ${limb}`;
    case 2:
      return `+ (${limb} << 1)`;
    case -2:
      return `- (${limb} << 1)`;
    case -3:
      return `- ((${limb} << 1) + ${limb})`;
    case 4:
      return `+ (${limb} << 2)`;
  }
}

/** Carries a field element whose limbs are below 2^60, without changing its value. */
export function carry(code: Code, element: Limbs): Limbs {
  return carried(code, element);
}

/**
 * Computes large + small − q·p, carried, with q = ⌊large/2^251⌋. So `large` becomes small. The
 * value of q is computed from the two uppermost limbs of `large`. The limbs of `large` may be as
 * large as 2^57.
 *
 * The lower limbs change the true quotient by less than 2^-18, and 17·q·2^192 changes it by less
 * than 2^-16.9, because q < 2^38. So `large` is reduced into (−2^-16·p, (1 + 2^-16)·p). `small` is
 * a separate argument so that q can be computed before `small`.
 */
export function settle(code: Code, large: Limbs, small: Limbs = []): Limbs {
  const q = code.define(
    `(${large[TOP.limb]} + (${large[TOP.limb - 1]} >> ${LIMB_BITS})) >> ${TOP.shift}`,
  );
  return carried(
    code,
    large.map((limb, index) => (small[index] === undefined ? limb : `${limb} + ${small[index]}`)),
    q,
  );
}

function carried(code: Code, element: Limbs, q?: string): Limbs {
  let fromBelow = q === undefined ? '' : ` - ${q}`;
  return element.map((limb, index) => {
    const less = minusMultipleOfP(
      index === MIDDLE.limb ? q : undefined,
      index === TOP.limb ? q : undefined,
    );
    const whole = code.define(`${limb}${less}${fromBelow}`);
    fromBelow = ` + (${whole} >> ${LIMB_BITS})`;
    return index === TOP.limb ? whole : code.define(`${whole} & ${MASK}`);
  });
}
