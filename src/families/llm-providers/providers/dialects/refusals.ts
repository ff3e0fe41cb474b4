import { reasonText } from '../dialect.ts';
import type { Target } from '../provider.ts';

export function bearer({ settings: { access_token } }: Target): Record<string, string> {
  return access_token === undefined ? {} : { authorization: `Bearer ${access_token}` };
}

const UNKNOWN = /\bmodel\b.{0,200}\b(not exist|not found|unknown)\b|\b(unknown|invalid) model\b/is;

/** vLLM, Ollama and LiteLLM word their errors in their own ways. */
export function saysUnknownModel(status: number, message: string): boolean {
  return (status === 404 || status === 400) && UNKNOWN.test(reasonText(message));
}
