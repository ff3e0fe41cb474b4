import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { SliceAnswer } from '../rows/slices.ts';

export interface Answer {
  status: number;
  text: string;
}

/** Reads a path of the application. @throws OutboundError */
export type Read = (path: string) => Promise<Answer>;

/** An application that is asked for predictions. */
export interface Application {
  get: Read;
  /** Sends JSON. @throws OutboundError */
  post(path: string, body: unknown): Promise<Answer>;
  /** Rows that were not predicted. @throws OutboundError if the answer says nothing of the rows */
  refused(answer: Answer): { kind: 'refused'; error: OutboundError };
  /** Rows that were not predicted, with what the application says of it. */
  blamed(message: string): { kind: 'refused'; error: OutboundError };
  /** The error of an answer that is not in the protocol's form. */
  unusable(what: string): OutboundError;
}

/** A value that a model is sent; an integer beyond 2^53 is a bigint. */
export type FeatureValue = string | number | bigint | boolean;

/** A field of the rows of one call. */
export interface Column {
  name: string;
  /** `number` if each of its values is one, or a text that reads as one; `boolean` if each is; else `text`. */
  kind: 'number' | 'boolean' | 'text';
}

/** A field that the model takes. */
export interface Feature {
  name: string;
  /** The value to send; undefined if the row's value cannot be read. */
  read(value: FeatureValue): FeatureValue | undefined;
  /** Name of the values that it takes, for messages: `a number`. */
  what: string;
}

export type SentRow = readonly FeatureValue[];

/** A model of an application, ready for the rows of one call. */
export interface RowModel {
  features: readonly Feature[];
  /** Rows that the model takes at once, if it takes fewer than others. */
  most?: number | undefined;
  /** @param rows values in the order of the features. @throws OutboundError */
  predict(rows: readonly SentRow[]): Promise<SliceAnswer>;
}

/** How an application in a container speaks. */
export interface ContainerProtocol {
  /**
   * Whether an application speaks it and is ready. Only the protocol's own shape counts: many servers answer 200 to everything.
   * @returns '' if so, else the reason as `probe_error` names it
   * @throws OutboundError
   */
  probe(read: Read, applications: readonly string[]): Promise<string>;
  /**
   * How rows are predicted, or what the container is for instead.
   * @throws Fault `validation_failed`; OutboundError
   */
  rows:
    | ((application: Application, model: string, columns: readonly Column[]) => Promise<RowModel>)
    | { instead(model: string): string };
}
