import type { Provider } from '../../../../../src/contract/families/llmProviders.ts';
import type { Asked, Scripted } from '../../../../support/peers/llm.ts';
import type { Question } from './question.ts';

type Body = Asked['body'];

/** How a provider is asked. */
export interface WireFormat {
  service: Provider;
  model: string;
  /** A model with embeddings, where the provider has them. */
  embedder?: string;
  /** `servicesettings` without the endpoint. */
  settings: Readonly<Record<string, string>>;
  /** What a request asks, but for its messages. */
  question(body: Body): Omit<Question, 'messages'>;
  /** Why the provider would refuse the request. */
  problems(asked: Asked): string[];
  refusal(problem: string): Scripted;
  /** The reply of a provider that is overloaded. */
  overloaded: Scripted;
  /** Its word for an answer that it does not give. Without one such an answer is like any other. */
  filtered?: string;
  /** For what aimock does not say: that an answer was cut. */
  cut?(body: object): object;
  /** Undefined for requests that are none for embeddings. */
  embeddings?(asked: Asked): { vectors: Scripted; problems: string[] } | undefined;
}

/** A short vector that tells texts apart. */
export const vectorOf = (text: string, dimensions = 3): number[] =>
  Array.from({ length: dimensions }, (_, at) => text.length + at / 4);
