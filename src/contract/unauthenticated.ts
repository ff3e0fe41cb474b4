/** The platform does not know the session token (any more): answered with the platform's own 401 body. */
export class Unauthenticated extends Error {}
