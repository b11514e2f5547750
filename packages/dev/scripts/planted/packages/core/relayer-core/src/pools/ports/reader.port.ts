import { useCase } from '../application/use-case.js';

export const reader = useCase;
