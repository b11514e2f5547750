import { TypedContainer, TypedContainerModule } from '@inversifyjs/strongly-typed';
import type { Bindings } from './bindings.js';

/** Container modules of this app, checked against {@link Bindings}. */
export class AppModule extends TypedContainerModule<Bindings> {}
export type AppContainer = TypedContainer<Bindings>;

/**
 * A container of these modules; everything in it is made once. Some bindings are made asynchronously, so all are asked for by `getAsync`.
 * `unbindAllAsync` closes what was opened.
 */
export function createContainer(...modules: readonly AppModule[]): AppContainer {
  const container = new TypedContainer<Bindings>({ defaultScope: 'Singleton' });
  for (const module of modules) container.load(module);
  return container;
}
