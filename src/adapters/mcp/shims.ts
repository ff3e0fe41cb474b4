/** Replaces the MCP client's shims in the bundle, see build.mjs. */
export const CORS_IS_POSSIBLE = false;

/** Tool results are not validated, so the validator is not bundled. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This build of the MCP client has no JSON schema validator');
  }
}
