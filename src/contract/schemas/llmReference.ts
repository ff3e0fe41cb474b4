import { Type } from 'typebox';

/** Fields that name an LLM configuration in records of other families. */
export const llmReference = {
  service: Type.String({ minLength: 1, maxLength: 128, description: 'LLM provider, as LlmService names it' }),
  connection_name: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'LLM connection, compared without regard to case',
    'x-trim': true,
  }),
  model: Type.String({
    minLength: 1,
    maxLength: 256,
    description: "The provider's id of the model, compared exactly",
    'x-trim': true,
  }),
};

export interface LlmReference {
  service: string;
  connection_name: string;
  model: string;
}
