import { Container, ContainerModule } from 'inversify';

export { Container as AppContainer, ContainerModule as AppModule };

/**
 * A container of these modules; everything in it is made once. Some bindings are made
 * asynchronously, so all are asked for by `getAsync`. `unbindAllAsync` closes what was opened.
 */
export function createContainer(...modules: readonly ContainerModule[]): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  for (const module of modules) container.load(module);
  return container;
}
