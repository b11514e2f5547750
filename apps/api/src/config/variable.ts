import { z } from 'zod';

/** Ways to declare a variable, each with its line in the configuration's documentation. */
export const required = <S extends z.ZodType>(schema: S, description: string): S =>
  schema.meta({ description, fallback: 'required' });

export const optional = <S extends z.ZodType>(
  schema: S,
  description: string,
  fallback: string,
): z.ZodOptional<S> => schema.optional().meta({ description, fallback });

export const withDefault = <S extends z.ZodType<unknown, string>>(
  schema: S,
  fallback: z.input<S>,
  description: string,
): z.ZodPrefault<S> => z.prefault(schema, fallback).meta({ description, fallback });
