/** Lookup files of models begin so, as the platform's own commands name theirs. */
export const MODEL_FILE_PREFIX = '__mlspl_';

export const modelFileName = (model: string, extension: string): string => `${MODEL_FILE_PREFIX}${model}.${extension}`;

/** Limit of a decoded model: 30 MB. */
export const MAX_MODEL_BYTES = 31_457_280;
