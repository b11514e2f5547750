import { implementCached, type Route } from '@sotto/http-server';
import type { GetServiceStatus } from '@sotto/relayer-core';
import * as routes from '@sotto/routes';
import { openApiDocument } from '../openapi.js';

export const statusRoute = (getServiceStatus: GetServiceStatus): Route =>
  implementCached(routes.status, {
    cacheKey: () => null,
    answer: async () => getServiceStatus.execute(),
  });

export const openApiRoute = (): Route =>
  implementCached(routes.openApi, { cacheKey: () => null, answer: async () => openApiDocument() });
