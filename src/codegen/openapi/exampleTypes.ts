import type { Static, TSchema } from 'typebox';
import type { families, gatewayGroups } from '../../table.ts';

type Groups = typeof families & typeof gatewayGroups;
type Rows = Groups[keyof Groups];
type RowsById = Intersection<Rows>;
type Intersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;

type Part<R, K extends 'params' | 'query' | 'body'> = R extends { [P in K]: infer S extends TSchema }
  ? K extends 'query'
    ? { query?: Static<S> }
    : { [P in K]: Static<S> }
  : unknown;

/** The request of a row, without the `payload` wrapper of the container families. */
type ExampleOf<R> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'>;

/** Rows without input have no example. */
export type Examples = {
  [Id in keyof RowsById as unknown extends ExampleOf<RowsById[Id]> ? never : Id]: ExampleOf<RowsById[Id]>;
};
