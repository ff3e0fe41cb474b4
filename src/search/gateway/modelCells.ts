import { type Cells, cellOf } from './rowAnswers.ts';

/** The model that answered and its tokens, from an answer in OpenAI's form. */
export function modelCells(output: string, response: Readonly<Record<string, unknown>>): Cells {
  const { connection_name, model } = Object(response.ml) as Record<string, unknown>;
  const isNamed = typeof connection_name === 'string' && typeof model === 'string';
  return {
    [`${output}_model`]: isNamed ? `${connection_name}/${model}` : cellOf(response.model),
    [`${output}_tokens`]: cellOf(Object(response.usage).total_tokens),
  };
}

export const modelFields = (output: string): string[] => [`${output}_model`, `${output}_tokens`];
