/** Fails a job, as the arguments of the platform's own commands are looked at when it runs. */
export class ArgumentError extends Error {}
