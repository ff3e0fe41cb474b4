/** Stands in for the MCP client's own shims in the bundle: see build.mjs. */
export const CORS_IS_POSSIBLE = false;

/** Results of tools are not validated here; a validator that is asked for all the same says so. */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This build of the MCP client has no JSON schema validator');
  }
}
