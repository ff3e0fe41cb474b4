/** Roles of each list of an ACL. */
export const MAX_ROLES = 32;
/** Lists of records of 0.1.0 may be longer; sending one back unchanged changes nothing. */
export const MAX_STORED_ROLES = 256;
export const TOO_MANY_ROLES = `must be a list of at most ${MAX_ROLES} roles`;
/** The right that no access list stops. */
export const ADMIN_CAPABILITY = 'admin_all_objects';
