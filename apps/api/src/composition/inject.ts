import type { TypedInject } from '@inversifyjs/strongly-typed';
import { inject as untypedInject } from 'inversify';
import type { Bindings } from './bindings.js';

/** `@inject(Token)` whose parameter the compiler holds against {@link Bindings}. */
// CAST: the package gives the type of the decorator without a function of that type.
export const inject = untypedInject as TypedInject<Bindings>;
