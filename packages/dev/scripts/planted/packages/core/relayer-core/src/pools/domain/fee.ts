import { useCase } from '../application/use-case.js';

export const fee = useCase;
