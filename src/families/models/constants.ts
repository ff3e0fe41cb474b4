/** 30 MB, decoded. */
export const MAX_MODEL_BYTES = 31_457_280;
/** Base64 of it, and room for the rest. */
export const MAX_UPLOAD_BODY = 67_108_864;
export const MAX_FEATURES = 10_000;
