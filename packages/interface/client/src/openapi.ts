import type {
  CodeOf,
  ErrorBody,
  ROUTES,
  Submission as SubmissionSchema,
  feeEstimate,
} from '@sotto/routes';
import type * as z from 'zod';

// The types of the interface, made from the definitions of the routes. In the built package this
// module is the generated one: it has the descriptions as comments, and needs neither.

type Definition = (typeof ROUTES)[number];

/** JSON as types are written by hand: optional keys are left out, never undefined. */
type Json<T> = T extends object
  ? {
      -readonly [Key in keyof T]: Json<
        object extends Pick<T, Key> ? Exclude<T[Key], undefined> : T[Key]
      >;
    }
  : T;
type Input<S> = S extends z.ZodType ? Json<z.input<S>> : never;
type Output<S> = S extends z.ZodType ? Json<z.output<S>> : never;

/** `/things/:id` as `/things/{id}`. */
type PathOf<P extends string> = P extends `${infer Head}:${infer Name}/${infer Tail}`
  ? `${Head}{${Name}}/${PathOf<Tail>}`
  : P extends `${infer Head}:${infer Name}`
    ? `${Head}{${Name}}`
    : P;

/** A part of a request, optional where none of its keys is required. */
type Part<Name extends string, T> = [T] extends [never]
  ? { [Key in Name]?: never }
  : object extends T
    ? { [Key in Name]?: T }
    : { [Key in Name]: T };

type Schema<D, Key extends string> = D extends { readonly [K in Key]: infer S } ? S : never;

interface Answer<Body, MediaType extends string = 'application/json'> {
  headers: { [name: string]: unknown };
  content: { [Type in MediaType]: Body };
}

type MediaTypeOf<Reply> = Reply extends { readonly contentType: infer Type extends string }
  ? Type
  : 'application/json';

/** The body of a failure: `code` is one of the route's. */
type Failure<D extends Definition> = Omit<
  D extends { readonly failure: { readonly schema: infer S } }
    ? Output<S>
    : Output<typeof ErrorBody>,
  'code'
> & { code: CodeOf<D> };

/** One object in messages of the compiler, not an intersection. */
type Flat<T> = { [Key in keyof T]: T[Key] };

type Operation<D extends Definition> = Flat<
  {
    parameters: Flat<
      Part<'query', Input<Schema<D, 'query'>>> &
        Part<'header', Input<Schema<D, 'headers'>>> &
        Part<'path', Input<Schema<D, 'params'>>> & { cookie?: never }
    >;
    responses: Flat<
      {
        [Status in keyof D['replies'] & number]: D['replies'][Status] extends {
          readonly schema: infer S;
        }
          ? Answer<Output<S>, MediaTypeOf<D['replies'][Status]>>
          : never;
      } & { default: Answer<Flat<Failure<D>>> }
    >;
  } & (D extends { readonly body: { readonly schema: infer S } }
    ? undefined extends Input<S>
      ? { requestBody?: { content: { 'application/json': Exclude<Input<S>, undefined> } } }
      : { requestBody: { content: { 'application/json': Input<S> } } }
    : { requestBody?: never })
>;

export type operations = { [D in Definition as D['operationId']]: Operation<D> };

export type paths = {
  [D in Definition as PathOf<D['path']>]: {
    [Method in Extract<Definition, { path: D['path'] }>['method']]: Operation<
      Extract<Definition, { path: D['path']; method: Method }>
    >;
  };
};

/** The built package has every schema. */
export interface components {
  schemas: {
    Error: Output<typeof ErrorBody>;
    FeeEstimate: Output<(typeof feeEstimate)['replies'][200]['schema']>;
    Submission: Output<typeof SubmissionSchema>;
  };
}
