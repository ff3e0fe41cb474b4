export const FAMILY = 'model-registrations';
export const REGISTERED_MODELS = 'ml_registered_models';
export const DEFAULT_BATCH = 100;

export type StringMap = Record<string, string>;
export const mapOf = (text: string): StringMap => JSON.parse(text) as StringMap;
