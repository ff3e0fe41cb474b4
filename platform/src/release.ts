/**
 * The release of Splunk Enterprise that the embedded platform stands in for. SDKs and apps compare it, so it has to be the
 * version of a release; README.md says which replies were measured on that one and which were not.
 */
export const PLATFORM_VERSION = '10.4.2';
/** The shape of a build, and the number of none: whoever looks for the real thing finds that this is not it. */
export const PLATFORM_BUILD = '000000000000';
