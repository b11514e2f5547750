import createModule from 'mcl-wasm/dist/mcl_c.js';

/*
 * Arguments of mcl's functions are addresses in its memory. The first address receives the result.
 * Predicates return 1 or 0.
 */
type Unary = (z: number, x: number) => void;
type Binary = (z: number, x: number, y: number) => void;
type Vectors = (z: number, xs: number, ys: number, count: number) => void;
type Predicate = (x: number) => number;

interface GroupFunctions {
  readonly add: Binary;
  readonly negate: Unary;
  /** Multiplies a point by a scalar in constant time. */
  readonly multiply: Binary;
  /** Adds the products of points and scalars. */
  readonly sum: Vectors;
  readonly normalise: Unary;
  readonly isOnCurve: Predicate;
  readonly isInSubgroup: Predicate;
  readonly isInfinity: Predicate;
}

/** Functions of mcl's WebAssembly that the prover calls, for BN254. */
export interface Mcl {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly allocate: (bytes: number) => number;
  /** Scalar field. */
  readonly fr: {
    readonly add: Binary;
    readonly subtract: Binary;
    readonly multiply: Binary;
    readonly negate: Unary;
    readonly isOne: Predicate;
  };
  /** Base field. */
  readonly fp: { readonly multiply: Binary; readonly isOne: Predicate };
  readonly g1: GroupFunctions;
  readonly g2: GroupFunctions;
  /** Computes a product of pairings up to the final exponentiation. */
  readonly millerLoops: Vectors;
  readonly finalExponentiation: Unary;
  readonly isOneInTarget: Predicate;
}

/** Identifier of BN254 with Ethereum's parameters. */
const BN_SNARK1 = 4;
/** Unit sizes for which mcl was compiled: 10 times 4 words of a scalar and 6 of a coordinate. */
const COMPILED_FOR = 46;

/**
 * Starts a separate instance of mcl. The prover uses the module below mcl's interface, because the
 * interface has one instance for all users in a thread and copies each number between two memories.
 * @throws Error if WebAssembly is forbidden or mcl was compiled for other sizes
 */
export async function startMcl(): Promise<Mcl> {
  const module = await createModule({
    // The prover draws its random numbers itself.
    cryptoGetRandomValues: () => {
      throw new Error('mcl must not draw random numbers');
    },
  });
  const {
    wasmMemory: memory,
    _malloc: allocate,
    _mclBn_init: initialise,
    _mclBn_millerLoopVec: millerLoops,
    _mclBn_finalExp: finalExponentiation,
    _mclBnGT_isOne: isOneInTarget,
    _mclBnFr_add: add,
    _mclBnFr_sub: subtract,
    _mclBnFr_mul: multiply,
    _mclBnFr_neg: negate,
    _mclBnFr_isOne: isOne,
    _mclBnFp_mul: multiplyCoordinates,
    _mclBnFp_isOne: isOneCoordinate,
  } = module;
  const {
    _mclBnG1_add: addG1,
    _mclBnG1_neg: negateG1,
    _mclBnG1_mulCT: multiplyG1,
    _mclBnG1_mulVec: sumG1,
    _mclBnG1_normalize: normaliseG1,
    _mclBnG1_isValid: isOnCurveG1,
    _mclBnG1_isValidOrder: isInSubgroupG1,
    _mclBnG1_isZero: isInfinityG1,
  } = module;
  const {
    _mclBnG2_add: addG2,
    _mclBnG2_neg: negateG2,
    _mclBnG2_mulCT: multiplyG2,
    _mclBnG2_mulVec: sumG2,
    _mclBnG2_normalize: normaliseG2,
    _mclBnG2_isValid: isOnCurveG2,
    _mclBnG2_isValidOrder: isInSubgroupG2,
    _mclBnG2_isZero: isInfinityG2,
  } = module;
  if (initialise(BN_SNARK1, COMPILED_FOR) !== 0) throw new Error('mcl cannot be started');
  return {
    memory,
    allocate,
    fr: { add, subtract, multiply, negate, isOne },
    fp: { multiply: multiplyCoordinates, isOne: isOneCoordinate },
    g1: {
      add: addG1,
      negate: negateG1,
      multiply: multiplyG1,
      sum: sumG1,
      normalise: normaliseG1,
      isOnCurve: isOnCurveG1,
      isInSubgroup: isInSubgroupG1,
      isInfinity: isInfinityG1,
    },
    g2: {
      add: addG2,
      negate: negateG2,
      multiply: multiplyG2,
      sum: sumG2,
      normalise: normaliseG2,
      isOnCurve: isOnCurveG2,
      isInSubgroup: isInSubgroupG2,
      isInfinity: isInfinityG2,
    },
    millerLoops,
    finalExponentiation,
    isOneInTarget,
  };
}
