import { main as compile } from 'assemblyscript/asc';
import { multiply, settle, square } from '../../src/codegen/arithmetic.js';
import { Code, ELEMENT_BYTES, elementAt } from '../../src/codegen/code.js';
import { LIMB_COUNT } from '../../src/field.js';

export type Operation = 'square' | 'multiply' | 'settle';

declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => {
    readonly exports: Readonly<Record<Operation, () => void>> & {
      readonly memory: { readonly buffer: ArrayBuffer };
      elements(): number;
    };
  };
};

function source(): string {
  const squared = new Code();
  squared.store('R', square(squared, squared.defineAll(elementAt('A'))));
  const product = new Code();
  product.store(
    'R',
    multiply(product, product.defineAll(elementAt('A')), product.defineAll(elementAt('B'))),
  );
  const settled = new Code();
  settled.store(
    'R',
    settle(settled, settled.defineAll(elementAt('A')), settled.defineAll(elementAt('B'))),
  );
  return `
const A: usize = memory.data(${3 * ELEMENT_BYTES}, 8);
const B: usize = A + ${ELEMENT_BYTES};
const R: usize = B + ${ELEMENT_BYTES};
export function elements(): usize { return A; }
export function square(): void ${squared.toText()}
export function multiply(): void ${product.toText()}
export function settle(): void ${settled.toText()}`;
}

/**
 * Compiles the field arithmetic of the hash separately and returns a function from limbs to limbs.
 */
export async function compileArithmetic(): Promise<
  (operation: Operation, a: readonly bigint[], b: readonly bigint[]) => readonly bigint[]
> {
  let code = new Uint8Array();
  const { error } = await compile(
    ['a.ts', '--outFile', 'a.wasm', '-O', '--runtime', 'stub', '--use', 'abort='],
    {
      readFile: (name) => (name === 'a.ts' ? source() : null),
      writeFile: (_, contents) => {
        code = Uint8Array.from(Buffer.from(contents));
      },
    },
  );
  if (error !== null) throw new Error('the arithmetic does not compile', { cause: error });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code));
  const memory = new BigInt64Array(exports.memory.buffer, exports.elements(), 3 * LIMB_COUNT);
  return (operation, a, b) => {
    memory.set([...a, ...b]);
    exports[operation]();
    return [...memory.subarray(2 * LIMB_COUNT)];
  };
}
