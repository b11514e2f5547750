import { implementCached, type Route } from '@sotto/http-server';
import type { UseCases } from '@sotto/relayer';
import * as routes from '@sotto/routes';
import { openApiDocument } from '../openapi.js';

export const statusRoute = ({ getServiceStatus }: UseCases): Route =>
  implementCached(routes.status, {
    cacheKey: () => null,
    answer: async () => getServiceStatus.execute(),
  });

export const openApiRoute = (): Route =>
  implementCached(routes.openApi, { cacheKey: () => null, answer: async () => openApiDocument() });
